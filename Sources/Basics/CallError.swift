public import FoundationEssentials

/// Why an HTTPS call brought no whole answer. Each reason is in our own words, safe to show: lower case, no full stop.
public enum CallError: Error, Sendable, Equatable {
    /// Nothing was sent that could have done something: no route, no TLS, name unknown, connect timeout, proxy refused; of a GET
    /// also an answer that never came whole.
    case unreachable(reason: String, certificate: CertificateFault?)
    /// The request (or a part of it) went out and no whole answer came: what it did is not known.
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

    public var reason: String {
        switch self {
        case .unreachable(let reason, _), .noAnswer(let reason), .tooLarge(let reason, _, _): reason
        }
    }
}
