import Basics
import SessionModel
import Sessions

/// Requests of programs about their own sessions and grants, and their own sign-out.
extension SessionWing {
    func ownSessions(for caller: CallerContext) throws -> OwnSessionsPayload {
        let sessions = try demandAtHand(for: caller)
        return try sessions.list(for: caller.program.flatMap(Program.init))
    }

    func ownGrants(for caller: CallerContext) throws -> GrantsPayload {
        let sessions = try demandAtHand(for: caller)
        uses.write(in: sessions)
        return try sessions.grants(of: caller.program.flatMap(Program.init))
    }

    /// Revokes all grants of the asking program. While nothing can be written, this is kept in memory until the next PIN. Throws the
    /// store's errors, and a failure of kind `locked` if too many programs wait for the PIN.
    func revokeOwn(for caller: CallerContext) throws {
        // A program that cannot be identified has no grants.
        guard let program = caller.program.flatMap(Program.init) else { return }
        core.tick()
        apply(requests.drop(program))
        guard let sessions = held.reachable else {
            guard leaving.add(program) else { throw SessionError.notAtHand }
            return
        }
        uses.write(in: sessions)
        try sessions.asked(by: caller.requester).revoke(allOf: program)
        letGoUnlessNeeded()
    }

    /// Revokes the grants of programs that signed themselves out while nothing could be written.
    func revokeLeaving(in sessions: LocalSessions) {
        for _ in 0..<leaving.revoke(sessions.revoke(allOf:)) {
            core.dependencies.report("the grants of a program that signed itself out cannot be revoked")
        }
    }
}
