package import ApprovalModel

/// Why an enrollment failed. Nothing was kept, except with `unconfirmed`. Equality is by code alone.
package struct EnrollmentError: Error, Sendable, Equatable {
    package enum Code: Sendable {
        /// The person said no to the hosts.
        case declined
        /// The bank refused in its redirect, in its own words.
        case refused
        /// No good redirect came in time, or the person ended the wait.
        case waitOver
        /// The input from which the redirect was to come ended without one.
        case noAddress
        /// The bank does not accept the new token; `cause` is its answer.
        case notProved
        /// The bank has the keys or may have them, but its answer was lost, or the first poll failed: the connection is
        /// kept under `name`, unconfirmed.
        case unconfirmed
        /// The link is for another account than the connection.
        case foreignLink
        /// Reconnecting needs a link here, or takes none.
        case needsLink, takesNoLink
        /// The redirect names another connection than the new one (saltedge-v1 section 5).
        case foreignID
        /// Another step must come first, or the enrollment is over.
        case outOfTurn
    }

    package var code: Code
    package var refusal: EnrollmentRefusal?
    package var cause: (any Error)?
    package var name: ConnectionName?
    /// Whether an existing connection was enrolled again; with `unconfirmed` its earlier keys are kept too.
    package var isReconnect = false
    /// With `unconfirmed`: whether the bank will be asked for its answer again. If not, the first use shows it.
    package var isAskedAgain = true

    package init(
        _ code: Code, refusal: EnrollmentRefusal? = nil, cause: (any Error)? = nil, name: ConnectionName? = nil
    ) {
        self.code = code
        self.refusal = refusal
        self.cause = cause
        self.name = name
    }

    package static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
