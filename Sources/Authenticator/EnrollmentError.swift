public import SCA

/// Why an enrollment came to nothing; nothing was kept, but for `unconfirmed`. Equality is by code.
public struct EnrollmentError: Error, Sendable, Equatable {
    public enum Code: Sendable {
        /// The person said no to the hosts.
        case declined
        /// The bank's redirect says so, in its own words.
        case refused
        /// Nothing good came back in time, or the person ended the wait.
        case waitOver
        /// The token that came back opens nothing at the bank; `cause` has the bank's answer.
        case notProved
        /// The bank has the keys or may have them, and its answer was lost, or its first question failed: the connection is kept
        /// under `name`, unconfirmed.
        case unconfirmed
        /// The link is for another account than the connection.
        case foreignLink
        /// Connecting again takes a link here, or takes none.
        case needsLink, takesNoLink
        /// The redirect names another connection than the one that was made (saltedge-v1 section 5).
        case foreignID
        /// Another step is due, or the enrollment is over.
        case outOfTurn
    }

    public var code: Code
    public var refusal: EnrollmentRefusal?
    public var cause: (any Error)?
    public var name: ConnectionName?
    /// With `unconfirmed`: whether the bank is asked for its answer again; else the first use shows it.
    public var isAskedAgain = true

    public init(
        _ code: Code, refusal: EnrollmentRefusal? = nil, cause: (any Error)? = nil, name: ConnectionName? = nil
    ) {
        self.code = code
        self.refusal = refusal
        self.cause = cause
        self.name = name
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
