public import SCA

/// Why a decision was not sent. Equality is by code alone.
public struct DecisionError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// The bank's present content differs from the shown content; `now` holds the present one.
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
        /// A decision on this authorization was sent and may count; `earlier` holds it.
        case alreadyDecided
        /// A decision on this authorization is being sent now, or the bank is still processing one.
        case underWay
    }

    public var code: Code
    public var now: Authorization?
    public var earlier: DecisionEntry?

    public init(_ code: Code, now: Authorization? = nil, earlier: DecisionEntry? = nil) {
        self.code = code
        self.now = now
        self.earlier = earlier
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
