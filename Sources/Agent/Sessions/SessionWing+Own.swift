import Basics
public import Sessions

/// Requests of programs about their own sessions and grants, and their own sign-out.
extension SessionWing {
    public func ownSessions(for caller: CallerContext) throws -> OwnSessionsPayload {
        let sessions = try demandAtHand(for: caller)
        return try sessions.list(for: caller.program.flatMap(Program.init))
    }

    public func ownGrants(for caller: CallerContext) throws -> GrantsPayload {
        let sessions = try demandAtHand(for: caller)
        writeUses(in: sessions)
        return try sessions.grants(of: caller.program.flatMap(Program.init))
    }

    /// How many programs may wait for the next PIN.
    private static let most = 256

    public func revokeOwn(for caller: CallerContext) throws {
        // A program that cannot be identified has no grants.
        guard let program = caller.program.flatMap(Program.init) else { return }
        core.tick()
        passed(requests.drop(program))
        switch held {
        case .atHand(let sessions, _), .asleep(let sessions):
            writeUses(in: sessions)
            try sessions.asked(by: caller.requester).revoke(allOf: program)
            letGoUnlessNeeded()
        case .nothing:
            guard leaving.contains(program) || leaving.count < Self.most else { throw SessionError.notAtHand }
            leaving.insert(program)
        }
    }

    /// Revokes the grants of programs that signed themselves out while nothing could be written.
    func revokeLeaving(in sessions: LocalSessions) {
        for program in leaving {
            do {
                try sessions.revoke(allOf: program)
                leaving.remove(program)
            } catch {
                // It is tried again at the next PIN.
                core.dependencies.report("the grants of a program that signed itself out cannot be revoked")
            }
        }
    }
}
