package import FoundationEssentials

/// Why an HTTPS call brought no complete answer. Each reason is in our own words, safe to show: lower case, no full
/// stop.
package enum CallError: Error, Sendable, Equatable {
    /// The call cannot have changed anything at the server: no route, no TLS, unknown name, time-out of the connection,
    /// proxy refused; for a GET also an answer that stayed incomplete.
    case unreachable(reason: String, obstacle: Obstacle?)
    /// The request (or a part of it) was sent and no complete answer came, so its effect is unknown.
    case noAnswer(reason: String)
    /// The answer is larger than the call's limit. `serverTime`: its `Date` header.
    case tooLarge(reason: String, status: Int, serverTime: Date?)

    /// An obstacle that the person can remove.
    package enum Obstacle: Sendable {
        /// The certificate is signed by nobody that is trusted, or out of date.
        case untrusted
        /// The certificate is for another host.
        case otherHost
        /// The proxy does not let the call through.
        case proxy

        /// Whether somebody may be intercepting the connection.
        package var isOfCertificate: Bool { self != .proxy }

        /// The next step: lower case, no full stop.
        package var hint: String {
            switch self {
            case .untrusted:
                "if it has an authority of its own, name that in a file: --ca-file PATH, or ca_file in the settings; else somebody may be intercepting the connection"
            case .otherHost:
                "compare the host with its owner's word: the address may be wrong, or somebody may be intercepting the connection; --ca-file PATH does not help against that"
            case .proxy: "check HTTPS_PROXY; hosts that need no proxy belong into NO_PROXY"
            }
        }
    }

    /// The next step for a server that cannot be reached, without a known obstacle.
    package static let tryAgain = "check the network and try again; --verbose says more"

    /// The reason of any case.
    package var reason: String {
        switch self {
        case .unreachable(let reason, _), .noAnswer(let reason), .tooLarge(let reason, _, _): reason
        }
    }

    /// For `unreachable`: the cause, if the person can remove it.
    package var obstacle: Obstacle? { if case .unreachable(_, let obstacle) = self { obstacle } else { nil } }
}
