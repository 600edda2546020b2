import Basics
import Sessions

/// Programs that sign themselves out.
extension SessionWing {
    /// So many may wait for the next PIN.
    private static let most = 256

    public func suspendOwn(for caller: CallerContext) throws {
        // Nobody has no grants.
        guard let program = caller.program.flatMap(Program.init) else { return }
        core.tick()
        passed(requests.drop(program))
        switch held {
        case .atHand(let sessions, _), .asleep(let sessions):
            try sessions.asked(by: caller.requester).suspend(allOf: program)
            letGoUnlessNeeded()
        case .nothing:
            guard leaving.contains(program) || leaving.count < Self.most else { throw SessionError.notAtHand }
            leaving.insert(program)
        }
    }

    /// Does what was asked for while nothing could be written.
    func suspendLeaving(in sessions: LocalSessions) {
        for program in leaving {
            do {
                try sessions.suspend(allOf: program)
                leaving.remove(program)
            } catch {
                // It is tried again at the next PIN.
                core.parts.report("a program that signed itself out cannot be suspended")
            }
        }
    }
}
