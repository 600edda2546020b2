import ApprovalModel
package import Basics

/// Why an enrollment failed. Nothing was kept, except with `unconfirmed`.
package enum EnrollmentError: Error, Sendable, Equatable {
    /// The person said no to the hosts.
    case declined
    /// The bank refused in its redirect, in its own words.
    case refused(errorClass: BankText?, message: BankText?)
    /// No good redirect came in time, or the person ended the wait.
    case waitOver
    /// The input from which the redirect was to come ended without one.
    case noAddress
    /// The bank does not accept the new token; the failure is its answer.
    case notProved(Failure, isReconnect: Bool = false)
    /// The bank has the keys or may have them, but its answer was lost, or the first poll failed.
    case unconfirmed(Unconfirmed)
    /// The link is for another account than the connection.
    case foreignLink
    /// Reconnecting needs a link here, or takes none.
    case needsLink, takesNoLink
    /// The redirect names another connection than the new one (saltedge-v1 section 5).
    case foreignID
    /// Another step must come first, or the enrollment is over.
    case outOfTurn

    /// The connection that is kept until the bank's answer is known.
    package struct Unconfirmed: Sendable, Equatable {
        var cause: Failure
        var name: ConnectionName
        /// Whether an existing connection was enrolled again; its earlier keys are kept too.
        var isReconnect: Bool
        /// Whether the bank will be asked for its answer again. If not, the first use shows it.
        var isAskedAgain: Bool
    }
}
