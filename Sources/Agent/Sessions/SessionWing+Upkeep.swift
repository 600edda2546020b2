public import Sessions

/// What the person changes of sessions that are there.
extension SessionWing {
    public func signOut(
        _ name: String, _ options: SignOutOptions, for caller: CallerContext
    ) async throws -> EndedSessionPayload {
        let sessions = try demandAtHand(for: caller)
        writeUses(in: sessions)
        let ended = try await sessions.signOut(name, options)
        changed()
        // What is owed for other sessions does not undo this logout.
        if !options.localOnly { tellIssuers(of: sessions) }
        return ended
    }
}
