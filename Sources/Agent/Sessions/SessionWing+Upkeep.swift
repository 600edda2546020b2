public import Sessions

/// The person's changes to existing sessions.
extension SessionWing {
    public func signOut(
        _ name: String, _ options: SignOutOptions, for caller: CallerContext
    ) async throws -> EndedSessionPayload {
        let sessions = try demandAtHand(for: caller)
        uses.write(in: sessions)
        let ended = try await sessions.signOut(name, options)
        changed()
        // A failure to send owed revocations must not undo this logout.
        if !options.localOnly { send(from: sessions) }
        return ended
    }
}
