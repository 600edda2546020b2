package import Basics

/// Why a renewal brought nothing, while the session lives on. Reasons are our own words, safe to show.
package enum RenewalFailure: Error, Sendable, Equatable {
    case refused(Rejection)
    /// Try again after `retryAfter` seconds, if the issuer said so.
    case later(reason: String, retryAfter: Int64?)
    case unreachable(reason: String, obstacle: CallError.Obstacle? = nil)
    /// It was sent, and the answer brought nothing that can be used.
    case unusable(reason: String)
    /// It was sent, and its result is not known.
    case noAnswer(reason: String)
}
