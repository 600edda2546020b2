public import FoundationEssentials

/// Why an HTTPS call brought no complete answer. Each reason is in our own words, safe to show: lower case, no full
/// stop.
public enum CallError: Error, Sendable, Equatable {
    /// The call cannot have changed anything at the server: no route, no TLS, unknown name, time-out of the connection,
    /// proxy refused; for a GET also an answer that stayed incomplete.
    case unreachable(reason: String, certificate: CertificateFault?)
    /// The request (or a part of it) was sent and no complete answer came, so it is not known what it did.
    case noAnswer(reason: String)
    /// The answer is larger than the call's limit. `serverTime`: its `Date` header.
    case tooLarge(reason: String, status: Int, serverTime: Date?)

    /// What is wrong with a certificate.
    public enum CertificateFault: Sendable {
        /// Signed by nobody that is trusted, or out of date.
        case untrusted
        /// For another host.
        case otherHost
    }

    /// The reason of any case.
    public var reason: String {
        switch self {
        case .unreachable(let reason, _), .noAnswer(let reason), .tooLarge(let reason, _, _): reason
        }
    }
}
