public import SCA

/// Why an enrollment came to nothing; nothing was kept. Equality is by code.
public struct EnrollmentError: Error, Sendable, Equatable {
    public struct Code: Hashable, Sendable {
        private enum Kind { case declined, refused, waitOver, notProved, foreignID, outOfTurn }
        private var kind: Kind

        /// The person said no to the hosts.
        public static let declined = Code(kind: .declined)
        /// The bank's redirect says so, in its own words.
        public static let refused = Code(kind: .refused)
        /// Nothing good came back in time, or the person ended the wait.
        public static let waitOver = Code(kind: .waitOver)
        /// The token that came back opens nothing at the bank; `cause` has the bank's answer.
        public static let notProved = Code(kind: .notProved)
        /// The redirect names another connection than the one that was made (saltedge-v1 section 5).
        public static let foreignID = Code(kind: .foreignID)
        /// Another step is due, or the enrollment is over.
        public static let outOfTurn = Code(kind: .outOfTurn)
    }

    public var code: Code
    public var refusal: Redirect.Refusal?
    public var cause: (any Error)?

    public init(_ code: Code, refusal: Redirect.Refusal? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.refusal = refusal
        self.cause = cause
    }

    public static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
