package import Desktop
package import FoundationEssentials

/// The desktop notes of the whole agent: those of each job, and the board that shows them.
package struct DesktopAnnouncer: Sendable {
    package let notes: DesktopNotes
    package let approvals: ApprovalNotes
    package let sessions: SessionNotes

    /// - Parameters:
    ///   - notifier: nil to write to the journal only.
    ///   - window: shows the request of a reference in the application's window, or all if it is empty; false if there
    ///     is no such window.
    ///   - now: the present time; times of today are shown without their date.
    ///   - journal: takes one line, without anything that came from outside.
    package init(
        _ notifier: Notifier?, window: @escaping @Sendable (_ reference: String) async -> Bool,
        now: @escaping @Sendable () -> Date, journal: @escaping @Sendable (String) -> Void
    ) {
        notes = DesktopNotes(notifier, journal: journal)
        approvals = ApprovalNotes(on: notes, now: now, window: window)
        sessions = SessionNotes(on: notes, now: now)
    }

    private var sources: [any NoteSource] { [approvals, sessions] }

    /// Works until its task is cancelled; then removes all notes.
    package func run(for agent: ServedAgent) async {
        await agent.approvals.tellShut()
        await notes.run(sources) { event in
            await approvals.obey(event, agent.approvals)
            await sessions.obey(event, agent.sessions)
        }
    }

    /// Shows notes until its task is cancelled, and hears of no action on them.
    func work() async { await notes.work(for: sources) }
}
