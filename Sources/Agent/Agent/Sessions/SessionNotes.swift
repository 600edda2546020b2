import Basics
import Desktop
import Display
import FoundationEssentials
import Synchronization

/// Notes about programs that ask for tokens, and about sessions that ended. They name neither program nor session, since desktops keep the
/// text of notes; the windows that follow name both. So a lock takes most of them off the screen for a moment only.
package final class SessionNotes: SessionAnnouncing {
    struct State {
        /// The requests of programs that came or went, in order.
        var programs: [(id: String, isThere: Bool)] = []
        /// Whether the note about signed-out sessions is still to be shown.
        var isSignOutDue = false
        /// Whether the note of it may be on the screen.
        var isSignOutTold = false
        /// Whether the keyring has the new tokens that cannot be written; nil if no note about them is due.
        var unsaved: Bool?
        var signIns = SignInNotes()
        /// How often all notes were taken off the screen, as far as that was heeded.
        var withdrawals = 0
    }

    private static let programPrefix = "program "
    private static let signedOutKey = "signed out"

    let notes: DesktopNotes
    let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// `now`: the present time; times of today are shown without their date.
    init(on notes: DesktopNotes, now: @escaping @Sendable () -> Date) {
        self.notes = notes
        self.now = now
    }

    func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            heedWithdrawals(&state)
            body(&state)
        }
        notes.ring()
    }

    /// Shows the notes that were on the screen again, if all notes were taken off it.
    private func heedWithdrawals(_ state: inout State) {
        let withdrawals = notes.withdrawals
        guard state.withdrawals != withdrawals else { return }
        state.withdrawals = withdrawals
        state.signIns.showAgain()
        if state.isSignOutTold { state.isSignOutDue = true }
    }

    package func announce(_ request: ProgramRequest) { change { $0.programs.append((request.id, isThere: true)) } }

    package func retract(request id: String) { change { $0.programs.append((id, isThere: false)) } }

    package func signedOut() { change { $0.isSignOutDue = true } }

    package func remind(ofSignIn session: String) { change { [now] in $0.signIns.want(session, since: now()) } }

    package func retract(signIn session: String) { change { $0.signIns.retract(session) } }

    package func entered() { change { $0.isSignOutTold = false } }

    /// New tokens of a session cannot be written; writing is tried until it succeeds. `isRescued`: the keyring has them meanwhile.
    package func unsaved(isRescued: Bool) { change { $0.unsaved = isRescued } }

    /// The person's action on a note. Does nothing for a note of another job.
    func obey(_ event: NotifierEvent, _ sessions: SessionWing) async {
        switch event {
        case .left(Self.signedOutKey): change { $0.isSignOutTold = false }
        case .pressed(.review, let key, _):
            await answer(key) { _ = try await sessions.review($0) }
        case .pressed(.deny, let key, _):
            await answer(key) { try await sessions.refuse(byButtonOf: $0) }
        case .pressed(.signIn, let key, _): await signIn(key, sessions)
        case .left(let key): dismissSignIn(key)
        case .pressed(.unlock, _, _): break
        }
    }

    private func answer(_ key: String, _ body: (_ request: String) async throws -> Void) async {
        guard key.hasPrefix(Self.programPrefix) else { return }
        do {
            try await body(String(key.dropFirst(Self.programPrefix.count)))
        } catch {
            let failure = Failure(error)
            if failure.kind != .cancelled { notes.tell(.failed(failure)) }
        }
    }
}

extension SessionNotes: NoteSource {
    func next(_ rank: NoteRank) -> NoteStep? {
        guard rank == .usual else { return nil }
        return state.withLock { state in
            heedWithdrawals(&state)
            return nextUsual(&state)
        }
    }

    private func nextUsual(_ state: inout State) -> NoteStep? {
        if !state.programs.isEmpty {
            let (id, isThere) = state.programs.removeFirst()
            return { await self.show(program: id, isThere) }
        }
        if state.isSignOutDue {
            (state.isSignOutDue, state.isSignOutTold) = (false, true)
            return { await self.showSignedOut() }
        }
        if let isRescued = state.unsaved {
            state.unsaved = nil
            return { await self.showUnsaved(isRescued) }
        }
        guard let step = state.signIns.next() else { return nil }
        return { [withdrawal = notes.withdrawal] in
            // The withdrawal closes all notes, and would close this one too.
            await withdrawal?.value
            await self.perform(step)
        }
    }

    private func show(program id: String, _ isThere: Bool) async {
        let key = Self.programPrefix + id
        guard isThere else {
            await notes.close(key)
            return notes.set(key, stands: false)
        }
        let note = Note(
            summary: DisplayText("A program asks for a token"), body: [DisplayText("Review says which, and for what.")],
            actions: [.review, .deny], stay: .lasting, isOurs: true)
        // It takes a place from the notes about waiting requests.
        guard await !notes.show(key, note) else { return notes.set(key, stands: true) }
        notes.report("a program asks for a token; see it with: countersign requests")
    }

    private func showSignedOut() async {
        let note = Note(
            summary: DisplayText("You were signed out"),
            body: [DisplayText("It was time. countersign sessions says of what.")], isOurs: true)
        let withdrawals = notes.withdrawals
        guard await !notes.show(Self.signedOutKey, note) else { return }
        // A lock withdrew it on its way to the screen: it will be shown again.
        guard withdrawals == notes.withdrawals else { return }
        change { $0.isSignOutTold = false }
        notes.report("sessions were signed out, since it was time; see: countersign sessions")
    }

    private func showUnsaved(_ isRescued: Bool) async {
        let note = Note(
            summary: DisplayText("New sign-in tokens cannot be written"),
            body: [
                DisplayText("Is the disk full? They are written as soon as they can."),
                DisplayText(
                    isRescued ? "Until then your keyring has them." : "Until then they are lost if the computer stops."),
            ], urgency: .critical, isOurs: true)
        guard await !notes.show("unsaved", note) else { return }
        let rest = isRescued ? "; the keyring has them" : ""
        notes.report("new tokens of a session cannot be written: is the disk full? Trying until they can\(rest)")
    }
}
