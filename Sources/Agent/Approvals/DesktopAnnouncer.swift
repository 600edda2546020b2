public import Authenticator
public import Basics
public import Desktop
import Display
public import FoundationEssentials
import Synchronization

/// Announces waiting requests by desktop notifications, and acts on their buttons. If the desktop shows none, it writes
/// a line to the journal, without any content.
public final class DesktopAnnouncer: Announcing {
    struct State {
        var isHidden = false
        /// Counts how often content had to leave the screen. A note made before that is not shown after it.
        var age = 0
        var waiting = WaitingNotes()
        /// Whether the note about the lock must change. `isLockNews`: also if the person put it away.
        var isLockDue = false
        var isLockNews = false
        /// Nil for no note.
        var lockNote: LockNote?
        /// Why nobody is at the screen; empty if somebody is.
        var absences: Set<Absence> = []
        /// Shown first, in order.
        var alarms: [(reference: String, failure: Failure, age: Int)] = []
        /// Shown next, in order.
        var outcomes: [(outcome: ReviewOutcome, card: Card?, age: Int)] = []
        /// The requests of programs that came or went, in order.
        var programs: [(id: String, isThere: Bool)] = []
        /// Whether the note about signed-out sessions is still to be shown.
        var isSignOutDue = false
        /// Whether the note of it may be on the screen. It has no content, and a lock takes it off for a moment only.
        var isSignOutTold = false
        /// Whether the keyring has the new tokens that cannot be written; nil if no note about them is due.
        var unsaved: Bool?
        var signIns = SignInNotes()
        /// The task that takes all content off the screen.
        var withdrawal: Task<Void, Never>?
    }

    /// The content of the note about the lock.
    enum LockNote: Equatable {
        case waiting(Int)
        /// No bank is asked.
        case missing
    }

    private enum Job {
        case change(WaitingNotes.Step, age: Int)
        case lock(LockNote?, isNews: Bool, after: Task<Void, Never>?)
        case alarm(String, Failure, age: Int)
        case tell(ReviewOutcome, Card?, age: Int)
        case program(String, isThere: Bool)
        case signedOut
        case unsaved(isRescued: Bool)
        case signIn(SignInNotes.Step, after: Task<Void, Never>?)
    }

    /// The key of the note about the lock.
    static let lockedKey = "locked"
    /// The key of the note about the end of the last review.
    static let outcomeKey = "outcome"
    private static let longestWithdrawal = Duration.seconds(2)
    /// A poll brings many requests in quick succession; those that come within this time are shown together.
    private static let gathering = Duration.milliseconds(100)

    let notifier: Notifier?
    let now: @Sendable () -> Date
    let journal: @Sendable (String) -> Void
    let state = Mutex(State())
    /// Wakes `work` when there is something to do.
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - notifier: nil to write to the journal only.
    ///   - now: the present time; times of today are shown without their date.
    ///   - journal: takes one line, without anything that a bank sent.
    public init(
        _ notifier: Notifier?, now: @escaping @Sendable () -> Date, journal: @escaping @Sendable (String) -> Void
    ) {
        self.notifier = notifier
        self.now = now
        self.journal = journal
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func announce(_ card: Card, as key: String) {
        change { if !$0.isHidden { $0.waiting.announce(card, as: key) } }
    }

    public func retract(_ key: String) { change { $0.waiting.retract(key) } }

    public func hide(waiting: Int) {
        hide { before in
            let count = if case .waiting(let count)? = before { count } else { 0 }
            return (waiting > 0 ? .waiting(waiting) : nil, isNews: waiting > count)
        }
    }

    public func shut(missesRequests: Bool) {
        hide { before in (missesRequests ? .missing : nil, isNews: before != .missing) }
    }

    /// Takes content off the screen at once, before any other work that is queued.
    private func hide(_ note: (_ before: LockNote?) -> (LockNote?, isNews: Bool)) {
        change { state in
            let (note, isNews) = note(state.lockNote)
            if state.isHidden, note == state.lockNote, !isNews { return }
            state.isLockDue = true
            state.isLockNews = state.isLockNews || isNews
            state.lockNote = note
            guard !state.isHidden else { return }
            state.isHidden = true
            state.age += 1
            state.waiting = WaitingNotes()
            state.signIns.showAgain()
            if state.isSignOutTold { state.isSignOutDue = true }
            state.withdrawal = Task { [notifier] in await notifier?.closeAll() }
        }
    }

    /// Why nobody is at the screen.
    public enum Absence: Sendable {
        case screenLocked, asleep, loggedOut
    }

    /// Nobody is at the screen now. The note about missed requests waits for a person.
    public func personLeft(_ absence: Absence) {
        change { state in
            state.absences.insert(absence)
            state.isLockDue = true
        }
    }

    /// These absences are over. Shows the note about missed requests if no other absence remains.
    public func over(_ absences: Set<Absence>) {
        change { state in
            guard !state.absences.isEmpty else { return }
            state.absences.subtract(absences)
            if state.absences.isEmpty, state.lockNote == .missing { (state.isLockDue, state.isLockNews) = (true, true) }
        }
    }

    public func unhide() {
        change { state in
            state.absences = []
            state.isHidden = false
            state.isSignOutTold = false
            state.isLockDue = true
            state.lockNote = nil
        }
    }

    /// The age of events while content is hidden: their notes have no content.
    private static let neverNow = -1

    public func alarm(_ reference: String, _ failure: Failure) {
        change { $0.alarms.append((reference, failure, $0.isHidden ? Self.neverNow : $0.age)) }
    }

    public func tell(_ outcome: ReviewOutcome, of card: Card?) {
        change { $0.outcomes.append((outcome, card, $0.isHidden ? Self.neverNow : $0.age)) }
    }

    public func report(_ line: String) { journal(line) }

    /// A program asks for a token, or its request no longer waits.
    public func tellRequest(_ id: String, isThere: Bool) { change { $0.programs.append((id, isThere)) } }

    /// Sessions were signed out by time or event.
    public func tellSignedOut() { change { $0.isSignOutDue = true } }

    /// New tokens of a session cannot be written; writing is tried until it succeeds. `isRescued`: the keyring has them meanwhile.
    public func tellUnsaved(isRescued: Bool) { change { $0.unsaved = isRescued } }

    /// A session must be signed in to again, or no longer. `id` stays the same for the session.
    public func tellSignIn(_ id: String, isWanted: Bool) {
        change { [now] in isWanted ? $0.signIns.want(id, since: now()) : $0.signIns.retract(id) }
    }

    func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        bell.yield()
    }

    /// Returns when the desktop has removed the notes that the last `hide` took off the screen, but after two seconds
    /// at the latest.
    public func withdrawn() async {
        guard let withdrawal = state.withLock({ $0.withdrawal }) else { return }
        let (end, ended) = AsyncStream.makeStream(of: Never.self)
        Task {
            await withdrawal.value
            ended.finish()
        }
        let timer = Task {
            try await Task.sleep(for: Self.longestWithdrawal)
            ended.finish()
        }
        for await _ in end {}
        timer.cancel()
    }

    /// Works until its task is cancelled; then removes all notes.
    public func run(for approvals: Approvals, _ sessions: SessionWing) async {
        await approvals.tellShut()
        await withTaskGroup { group in
            group.addTask { await self.work() }
            if let notifier {
                group.addTask { [self] in
                    for await event in notifier.events {
                        // A question may stay open for minutes; other notes are answered meanwhile.
                        Task { await self.obey(event, approvals, sessions) }
                    }
                }
            }
            await group.waitForAll()
        }
        await notifier?.closeAll()
    }

    /// Carries out the calls in order until its task is cancelled.
    func work() async {
        for await _ in bells {
            try? await Task.sleep(for: Self.gathering)
            while !Task.isCancelled, let job = next() { await perform(job) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            if state.isLockDue {
                defer { (state.isLockDue, state.isLockNews) = (false, false) }
                let note = !state.absences.isEmpty && state.lockNote == .missing ? nil : state.lockNote
                return .lock(note, isNews: state.isLockNews, after: state.withdrawal)
            }
            if !state.alarms.isEmpty {
                let (reference, failure, age) = state.alarms.removeFirst()
                return .alarm(reference, failure, age: age)
            }
            if !state.outcomes.isEmpty {
                let (outcome, card, age) = state.outcomes.removeFirst()
                return .tell(outcome, card, age: age)
            }
            if !state.programs.isEmpty {
                let (id, isThere) = state.programs.removeFirst()
                return .program(id, isThere: isThere)
            }
            if state.isSignOutDue {
                (state.isSignOutDue, state.isSignOutTold) = (false, true)
                return .signedOut
            }
            if let isRescued = state.unsaved {
                state.unsaved = nil
                return .unsaved(isRescued: isRescued)
            }
            if let step = state.signIns.next() { return .signIn(step, after: state.withdrawal) }
            return state.waiting.next().map { .change($0, age: state.age) }
        }
    }

    private func perform(_ job: Job) async {
        switch job {
        case .change(let step, let age): await perform(step, of: age)
        case .alarm(let reference, let failure, let age): await sound(reference, failure, of: age)
        case .tell(let outcome, let card, let age): await tell(outcome, of: card, age)
        case .program(let id, let isThere): await perform(program: id, isThere)
        case .signedOut: await performSignedOut()
        case .unsaved(let isRescued): await performUnsaved(isRescued)
        case .signIn(let step, let withdrawal):
            // The withdrawal closes all notes, and would close this one too.
            await withdrawal?.value
            await perform(step)
        case .lock(let note, let isNews, let withdrawal):
            // The withdrawal closes all notes, and would close this one too.
            await withdrawal?.value
            await tellLocked(note, isNews: isNews)
        }
    }

    // MARK: Waiting requests

    private func perform(_ step: WaitingNotes.Step, of age: Int) async {
        switch step {
        case .show(let card, let key, let isNews):
            await show(key, .waiting(card, at: now()), isNews: isNews, of: age)
        case .showAll(let count, let first, let isNews):
            let note = Note.waiting(count, firstToExpire: first, at: now())
            await show(WaitingNotes.allKey, note, isNews: isNews, of: age)
        case .close(let key): await notifier?.close(key: key)
        }
    }

    private func show(_ key: String, _ note: Note, isNews: Bool, of age: Int) async {
        guard isNews else {
            await notifier?.update(key: key, note: note, where: { self.isNow(age) })
            return
        }
        guard await !show(key, note, of: age), isNow(age) else { return }
        journal("a request waits for your decision; see it with: countersign pending")
    }

    func isNow(_ age: Int) -> Bool { state.withLock { $0.age == age } }

    /// Shows a note made at this age, unless content had to leave the screen since. Returns whether it is shown.
    func show(_ key: String, _ note: Note, of age: Int) async -> Bool {
        await notifier?.show(key: key, note: note, where: { self.isNow(age) }) ?? false
    }
}
