/// Announces requests of programs and ended sessions to the person, outside of any front end: by desktop notifications, or by a line in the
/// journal. Calls return at once; their effects follow in the order of the calls.
package protocol SessionAnnouncing: Sendable {
    /// A program asks for a token that no grant allows yet.
    func announce(_ request: ProgramRequest)
    /// This request of a program no longer waits.
    func retract(request id: String)
    /// Sessions were signed out without the person's doing.
    func signedOut()
    /// Something asked for this session, which must be signed in to again. `session` stays the same for the session.
    func remind(ofSignIn session: String)
    /// The session was signed in to again, or is gone.
    func retract(signIn session: String)
    /// The PIN opened the agent.
    func entered()
}
