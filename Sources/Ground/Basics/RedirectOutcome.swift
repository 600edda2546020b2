/// The outcome of a redirected address.
package enum RedirectOutcome: Sendable, Equatable {
    case accepted
    case notAccepted
    /// Nothing could be stored, because the agent is locked. After an unlock the same address may be accepted.
    case locked
}
