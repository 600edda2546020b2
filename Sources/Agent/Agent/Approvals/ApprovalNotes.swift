package import Approvals
package import Basics
import Desktop
import Display
import FoundationEssentials
import Synchronization

/// Notes about waiting requests, about the lock, and about alarms.
package final class ApprovalNotes: Announcing {
    struct State {
        var waiting = WaitingNotes()
        /// Whether the note about the lock must change. `isLockNews`: also if the person put it away.
        var isLockDue = false
        var isLockNews = false
        /// Nil for no note.
        var lockNote: LockNote?
        /// Why nobody is at the screen; empty if somebody is.
        var absences: Set<Absence> = []
        /// In order.
        var alarms: [(reference: String, failure: Failure, age: DesktopNotes.Age)] = []
    }

    /// The content of the note about the lock.
    enum LockNote: Equatable {
        case waiting(Int)
        /// No bank is asked.
        case missing
    }

    /// Why nobody is at the screen.
    package enum Absence: Sendable {
        case screenLocked, asleep, loggedOut
    }

    /// The key of the note about the lock.
    static let lockedKey = "locked"

    let notes: DesktopNotes
    let now: @Sendable () -> Date
    /// Shows the request of a reference in the application's window, or all if it is empty. False if there is no such window.
    let window: @Sendable (_ reference: String) async -> Bool
    /// Held while `notes` hides, so that no content comes in between.
    let state = Mutex(State())

    /// `now`: the present time; times of today are shown without their date.
    init(
        on notes: DesktopNotes, now: @escaping @Sendable () -> Date,
        window: @escaping @Sendable (_ reference: String) async -> Bool
    ) {
        self.notes = notes
        self.now = now
        self.window = window
    }

    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        notes.ring()
    }

    package func announce(_ card: Card, as key: String) {
        change { if !notes.isHidden { $0.waiting.announce(card, as: key) } }
    }

    package func retract(_ key: String) { change { $0.waiting.retract(key) } }

    package func hide(waiting: Int) {
        hide { before in
            let count = if case .waiting(let count)? = before { count } else { 0 }
            return (waiting > 0 ? .waiting(waiting) : nil, isNews: waiting > count)
        }
    }

    package func shut(missesRequests: Bool) {
        hide { before in (missesRequests ? .missing : nil, isNews: before != .missing) }
    }

    private func hide(_ note: (_ before: LockNote?) -> (LockNote?, isNews: Bool)) {
        change { state in
            let (note, isNews) = note(state.lockNote)
            let isHidden = notes.isHidden
            if isHidden, note == state.lockNote, !isNews { return }
            state.isLockDue = true
            state.isLockNews = state.isLockNews || isNews
            state.lockNote = note
            guard !isHidden else { return }
            notes.hide()
            state.waiting = WaitingNotes()
        }
    }

    /// Nobody is at the screen now. The note about missed requests waits for a person.
    package func personLeft(_ absence: Absence) {
        change { state in
            state.absences.insert(absence)
            state.isLockDue = true
        }
    }

    /// These absences are over. Shows the note about missed requests if no other absence remains.
    package func over(_ absences: Set<Absence>) {
        change { state in
            guard !state.absences.isEmpty else { return }
            state.absences.subtract(absences)
            if state.absences.isEmpty, state.lockNote == .missing { (state.isLockDue, state.isLockNews) = (true, true) }
        }
    }

    package func unhide() {
        change { state in
            notes.unhide()
            state.absences = []
            state.isLockDue = true
            state.lockNote = nil
        }
    }

    package func alarm(_ reference: String, _ failure: Failure) {
        change { $0.alarms.append((reference, failure, notes.age)) }
    }

    package func tell(_ outcome: ReviewOutcome, of card: Card?) { notes.tell(outcome.note(of: card)) }

    package func report(_ line: String) { notes.report(line) }
}

extension ApprovalNotes: NoteSource {
    func next(_ rank: NoteRank) -> NoteStep? {
        state.withLock { state in
            switch rank {
            case .urgent: nextUrgent(&state)
            case .usual: nil
            case .waiting: nextWaiting(&state)
            }
        }
    }

    private func nextWaiting(_ state: inout State) -> NoteStep? {
        guard let step = state.waiting.next(besides: notes.standing) else { return nil }
        return { [age = notes.present] in await self.perform(step, of: age) }
    }

    private func nextUrgent(_ state: inout State) -> NoteStep? {
        if state.isLockDue {
            defer { (state.isLockDue, state.isLockNews) = (false, false) }
            let note = !state.absences.isEmpty && state.lockNote == .missing ? nil : state.lockNote
            return { [isNews = state.isLockNews, withdrawal = notes.withdrawal] in
                // The withdrawal closes all notes, and would close this one too.
                await withdrawal?.value
                await self.show(note, isNews: isNews)
            }
        }
        guard !state.alarms.isEmpty else { return nil }
        let (reference, failure, age) = state.alarms.removeFirst()
        return { await self.sound(reference, failure, of: age) }
    }
}
