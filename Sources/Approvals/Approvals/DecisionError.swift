package import ApprovalModel

/// Why a decision was not sent.
package enum DecisionError: Error, Sendable, Equatable {
    /// The bank's present content differs from the shown content.
    case changed
    case expired
    /// The bank no longer lists it: decided elsewhere, cancelled or expired.
    case gone
    /// The bank wants a position, and none was given.
    case geolocationRequired
    /// Approving means choosing an option, and none was named.
    case needsOption
    /// The named option does not exist.
    case noSuchOption
    /// An option was named, but there is nothing to choose.
    case takesNoOption
    /// It can only be denied: there is no option, or too many approvals of it were refused.
    case onlyDenial
    /// Denying takes the PIN, because the denial could be used as an approval.
    case needsPIN
    /// The PIN was entered for other content.
    case notProved
    /// This decision on the authorization was sent and may count; nil if the log no longer shows it.
    case alreadyDecided(DecisionEntry?)
    /// A decision on this authorization is being sent now, or the bank is still processing one.
    case underWay
}
