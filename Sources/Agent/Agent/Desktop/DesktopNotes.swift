import Basics
package import Desktop
import Display
import Synchronization

/// Shows the notes of all jobs on the desktop, one after the other. If the desktop shows none, a job writes a line to the journal instead,
/// without any content.
package final class DesktopNotes: Sendable {
    /// The time since content last had to leave the screen. A note of an earlier age is not shown in a later one.
    struct Age: Equatable {
        fileprivate let number: Int
        /// The age of content that comes while content is hidden: it is never shown.
        fileprivate static let never = Age(number: -1)
    }

    private struct State {
        var isHidden = false
        var age = 0
        /// The keys of notes that stay, and take a place from a job's list of waiting items.
        var standing: Set<String> = []
        /// In order.
        var outcomes: [(outcome: NoteOutcome, age: Age)] = []
        /// The task that takes all notes off the screen.
        var withdrawal: Task<Void, Never>?
        /// Counts these tasks.
        var withdrawals = 0

        /// The age of content that comes now.
        var newAge: Age { isHidden ? .never : Age(number: age) }
    }

    private static let outcomeKey = "outcome"
    private static let longestWithdrawal = Duration.seconds(2)
    /// Notes that come within this time are shown together.
    private static let gathering = Duration.milliseconds(100)

    private let notifier: Notifier?
    private let journal: @Sendable (String) -> Void
    private let state = Mutex(State())
    /// Wakes `work` when there is something to do.
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - notifier: nil to write to the journal only.
    ///   - journal: takes one line, without anything that came from outside.
    package init(_ notifier: Notifier?, journal: @escaping @Sendable (String) -> Void) {
        self.notifier = notifier
        self.journal = journal
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: Calls of jobs

    /// A job has something to show.
    func ring() { bell.yield() }

    /// Writes one line to the journal. It must hold nothing that came from outside.
    @Sendable package func report(_ line: String) { journal(line) }

    /// Content may not be shown any more. Takes all notes off the screen at once, before any other work that is queued.
    func hide() {
        state.withLock { state in
            state.isHidden = true
            state.age += 1
            state.standing = []
            state.withdrawals += 1
            state.withdrawal = Task { [notifier] in await notifier?.closeAll() }
        }
    }

    /// Content may be shown again.
    func unhide() { state.withLock { $0.isHidden = false } }

    var isHidden: Bool { state.withLock { $0.isHidden } }

    /// The age of content that comes now.
    var age: Age { state.withLock { $0.newAge } }

    func isNow(_ age: Age) -> Bool { state.withLock { $0.age == age.number } }

    /// The age of notes without content, and of a job's list of waiting items.
    var present: Age { state.withLock { Age(number: $0.age) } }

    /// How often all notes were taken off the screen. A job that sees a new number shows again the notes that may stay.
    var withdrawals: Int { state.withLock { $0.withdrawals } }

    /// The task that takes all notes off the screen. It would also close a note that is shown before it ends.
    var withdrawal: Task<Void, Never>? { state.withLock { $0.withdrawal } }

    /// Returns when the desktop has removed the notes that the last `hide` took off the screen, but after two seconds
    /// at the latest.
    package func withdrawn() async {
        guard let withdrawal else { return }
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

    /// How many notes stand, apart from those of a list.
    var standing: Int { state.withLock { $0.standing.count } }

    /// A note that stays was shown, or left.
    func set(_ key: String, stands: Bool) {
        state.withLock { state in
            if stands { state.standing.insert(key) } else { state.standing.remove(key) }
        }
        ring()
    }

    /// Shows for a short time how something ended. After a lock the content is left out.
    func tell(_ outcome: NoteOutcome) {
        state.withLock { $0.outcomes.append((outcome, $0.newAge)) }
        ring()
    }

    // MARK: Notes

    /// Shows a note without content. Returns whether it is shown.
    func show(_ key: String, _ note: Note) async -> Bool { await notifier?.show(key: key, note: note) ?? false }

    /// Shows a note made at this age, unless content had to leave the screen since. Returns whether it is shown.
    func show(_ key: String, _ note: Note, of age: Age) async -> Bool {
        await notifier?.show(key: key, note: note, where: { self.isNow(age) }) ?? false
    }

    /// Changes a note without content, if the person did not put it away.
    func update(_ key: String, _ note: Note) async { await notifier?.update(key: key, note: note) }

    /// Changes a note made at this age, if the person did not put it away.
    func update(_ key: String, _ note: Note, of age: Age) async {
        await notifier?.update(key: key, note: note, where: { self.isNow(age) })
    }

    func close(_ key: String) async { await notifier?.close(key: key) }

    // MARK: Work

    /// Works until its task is cancelled; then removes all notes. `obey` gets the person's actions on notes.
    func run(_ sources: [any NoteSource], obey: @escaping @Sendable (NotifierEvent) async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await self.work(for: sources) }
            if let notifier {
                group.addTask { [self] in
                    for await event in notifier.events {
                        if case .left(let key) = event { set(key, stands: false) }
                        // A question may stay open for minutes; other notes are answered meanwhile.
                        Task { await obey(event) }
                    }
                }
            }
            await group.waitForAll()
        }
        await notifier?.closeAll()
    }

    /// Carries out the steps of these jobs in order until its task is cancelled.
    func work(for sources: [any NoteSource]) async {
        for await _ in bells {
            try? await Task.sleep(for: Self.gathering)
            while !Task.isCancelled, let step = next(of: sources) { await step() }
        }
    }

    private func next(of sources: [any NoteSource]) -> NoteStep? {
        func next(_ rank: NoteRank) -> NoteStep? {
            for source in sources {
                if let step = source.next(rank) { return step }
            }
            return nil
        }
        return next(.urgent) ?? nextOutcome() ?? next(.usual) ?? next(.waiting)
    }

    private func nextOutcome() -> NoteStep? {
        guard let (outcome, age) = state.withLock({ $0.outcomes.isEmpty ? nil : $0.outcomes.removeFirst() }) else {
            return nil
        }
        return { await self.show(outcome, age) }
    }

    private func show(_ outcome: NoteOutcome, _ age: Age) async {
        var note = Note(
            summary: DisplayText(outcome.headline), body: outcome.content, stay: outcome.isGood ? .short : .usual)
        if isNow(age) {
            let isShown = await show(Self.outcomeKey, note, of: age)
            set(Self.outcomeKey, stands: isShown && !outcome.isGood)
        } else {
            // After a lock only the headline may be shown, which has no content.
            note.body = []
            _ = await show(Self.outcomeKey, note)
        }
    }
}
