package import Basics

/// Why a call to an issuer brought nothing. Reasons are in our own words, safe to show: lower case, no full stop.
package enum IssuerError: Error, Sendable, Equatable {
    /// The target is neither an issuer nor a resource that names one: the attempts, each with its reason.
    case notFound(tried: [Tried])
    /// No connection, no TLS, a problem of the issuer's own, or too many calls: it can be tried again. Nothing was used up.
    case unreachable(reason: String, obstacle: CallError.Obstacle? = nil)
    /// Something was sent that works only once, and no answer came.
    case noAnswer(reason: String)
    /// The issuer said no.
    case refused(Rejection)
    /// Its statements contradict each other: metadata, redirect or ID token. Nothing of it may be used.
    case contradiction(reason: String)
    /// It does not offer the means of a safe login (PKCE with S256, the code flow, a public client).
    case unsupported(reason: String)
    /// The resource names several issuers, and none was chosen.
    case several([Issuer], of: WebAddress)
    /// It registers no programs by itself.
    case noRegistration
    /// It has no revocation endpoint.
    case noRevocation

    package struct Tried: Sendable, Equatable {
        package var address: WebAddress
        package var reason: String
        package var obstacle: CallError.Obstacle?

        package init(_ address: WebAddress, reason: String, obstacle: CallError.Obstacle? = nil) {
            self.address = address
            self.reason = reason
            self.obstacle = obstacle
        }
    }
}

extension IssuerError {
    /// The reason why calls did not reach the issuer, if a person can do something about it.
    var obstacle: CallError.Obstacle? {
        switch self {
        case .unreachable(_, let obstacle): obstacle
        case .notFound(let tried): tried.compactMap(\.obstacle).first
        case .noAnswer, .refused, .contradiction, .unsupported, .several, .noRegistration, .noRevocation: nil
        }
    }
}
