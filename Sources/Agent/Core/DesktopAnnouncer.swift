public import Display
import Synchronization

/// Tells what waits by the desktop's notifications, and does what the person presses on them. Where nothing shows
/// notifications there is a line in the journal, without any content.
public final class DesktopAnnouncer: Announcing {
    private struct State {
        var isHidden = false
        /// How often content had to leave the screen. What was made before that is not shown after it.
        var age = 0
        /// The keys of the notes that are to be changed, in order, and the newest that is known of each: nil when it waits no
        /// more.
        var order = Turns()
        var cards: [String: Card?] = [:]
        /// Whether the note that says how many wait is to be changed, and how many: nil for no note.
        var isLockDue = false
        var waiting: Int?
        /// What is to be told first, in order.
        var alarms: [(reference: String, failure: Failure)] = []
        /// What is to be told next, in order.
        var outcomes: [(outcome: ReviewOutcome, card: Card?, age: Int)] = []
        /// Takes all content off the screen.
        var withdrawal: Task<Void, Never>?

        mutating func set(_ card: Card?, for key: String) {
            if cards.updateValue(card, forKey: key) == nil { order.append(key) }
        }
    }

    /// Keys in their order, but each connection in its turn: a bank with thousands does not hold up the others.
    private struct Turns {
        private var connections: [Substring] = []
        private var keys: [Substring: [String]] = [:]

        mutating func append(_ key: String) {
            let connection = key.prefix { $0 != ":" }
            if keys[connection] == nil { connections.append(connection) }
            keys[connection, default: []].append(key)
        }

        mutating func next() -> String? {
            guard !connections.isEmpty else { return nil }
            let connection = connections.removeFirst()
            guard var rest = keys.removeValue(forKey: connection), !rest.isEmpty else { return nil }
            let key = rest.removeFirst()
            if !rest.isEmpty {
                keys[connection] = rest
                connections.append(connection)
            }
            return key
        }
    }

    private enum Job {
        case show(Card, String, age: Int)
        case close(String)
        case lock(Int?, after: Task<Void, Never>?)
        case alarm(String, Failure, age: Int)
        case tell(ReviewOutcome, Card?, age: Int)
    }

    /// The key of the note that says how many wait; nothing that waits has one like it.
    private static let lockedKey = "locked"
    /// The key of the note that tells how the last review ended.
    private static let outcomeKey = "outcome"
    private static let longestWithdrawal = Duration.seconds(2)

    private let notifier: Notifier?
    private let journal: @Sendable (String) -> Void
    private let state = Mutex(State())
    /// Says that there is something to do.
    private let bells: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - notifier: nil writes to the journal alone.
    ///   - journal: takes one line, without anything that a bank sent.
    public init(_ notifier: Notifier?, journal: @escaping @Sendable (String) -> Void) {
        self.notifier = notifier
        self.journal = journal
        (bells, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func announce(_ card: Card, as key: String) { set(card, for: key) }
    public func retract(_ key: String) { set(nil, for: key) }

    private func set(_ card: Card?, for key: String) {
        state.withLock { state in
            if !state.isHidden { state.set(card, for: key) }
        }
        bell.yield()
    }

    /// Takes content off the screen at once, whatever else is still to be done.
    public func hide(waiting: Int?) {
        state.withLock { state in
            state.isLockDue = true
            state.waiting = waiting
            guard !state.isHidden else { return }
            state.isHidden = true
            state.age += 1
            state.order = Turns()
            state.cards = [:]
            state.withdrawal = Task { [notifier] in await notifier?.closeAll() }
        }
        bell.yield()
    }

    public func unhide() {
        state.withLock { state in
            state.isHidden = false
            state.isLockDue = true
            state.waiting = nil
        }
        bell.yield()
    }

    public func alarm(_ reference: String, _ failure: Failure) {
        state.withLock { $0.alarms.append((reference, failure)) }
        bell.yield()
    }

    public func tell(_ outcome: ReviewOutcome, of card: Card?) {
        state.withLock { $0.outcomes.append((outcome, card, $0.age)) }
        bell.yield()
    }

    public func report(_ line: String) { journal(line) }

    /// Returns when the desktop has taken away what the last `hide` took off the screen, or has not for two seconds.
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

    /// Works until its task is cancelled; then all notes are taken away.
    public func run(for core: AgentCore) async {
        await withTaskGroup { group in
            group.addTask { await self.work() }
            if let notifier {
                group.addTask { [self] in
                    for await event in notifier.events {
                        // A question may stay open for minutes; other notes are answered meanwhile.
                        Task { await self.obey(event, core) }
                    }
                }
            }
            await group.waitForAll()
        }
        await notifier?.closeAll()
    }

    /// Does what is asked for until its task is cancelled.
    func work() async {
        for await _ in bells {
            while !Task.isCancelled, let job = next() { await perform(job) }
        }
    }

    private func next() -> Job? {
        state.withLock { state in
            if state.isLockDue {
                state.isLockDue = false
                return .lock(state.waiting, after: state.withdrawal)
            }
            if !state.alarms.isEmpty {
                let (reference, failure) = state.alarms.removeFirst()
                return .alarm(reference, failure, age: state.age)
            }
            if !state.outcomes.isEmpty {
                let (outcome, card, age) = state.outcomes.removeFirst()
                return .tell(outcome, card, age: age)
            }
            guard let key = state.order.next() else { return nil }
            guard let card = state.cards.removeValue(forKey: key) ?? nil else { return .close(key) }
            return .show(card, key, age: state.age)
        }
    }

    private func perform(_ job: Job) async {
        switch job {
        case .show(let card, let key, let age):
            let note = Note(
                summary: card.title, body: [card.bank, card.host], actions: [.review, .deny], urgency: .critical,
                tag: card.fingerprint.hex)
            guard await !show(key, note, of: age), isNow(age) else { return }
            journal("a request waits for your decision; see it with: countersign pending")
        case .close(let key):
            await notifier?.close(key: key)
        case .alarm(let reference, let failure, let age):
            let note = Note(
                summary: DisplayText("Alarm: what you denied was confirmed"),
                body: [failure.message, failure.hint].compactMap { $0 }.map {
                    DisplayText(shown: $0) ?? DisplayText($0)
                },
                actions: [], urgency: .critical)
            // Also where it is shown: it must be found later.
            journal("alarm: a bank confirmed what was denied here; see: countersign history")
            _ = await show("alarm " + reference, note, of: age)
        case .tell(let outcome, let card, let age): await tell(outcome, of: card, age)
        case .lock(let waiting, let withdrawal):
            // It would take this note too.
            await withdrawal?.value
            guard let waiting, waiting > 0 else {
                await notifier?.close(key: Self.lockedKey)
                return
            }
            let words =
                waiting == 1 ? "1 request waits for your decision" : "\(waiting) requests wait for your decision"
            let note = Note(
                summary: DisplayText("Countersign is locked"), body: [DisplayText(words)], actions: [.review])
            guard await notifier?.show(key: Self.lockedKey, note: note) != true else { return }
            journal("locked; \(words); unlock it with: countersign unlock")
        }
    }

    private func tell(_ outcome: ReviewOutcome, of card: Card?, _ age: Int) async {
        let content = outcome.reasons + (card.map { [$0.title, $0.bank, $0.host, DisplayText($0.reference)] } ?? [])
        var note = Note(summary: DisplayText(outcome.headline), body: content, actions: [])
        note.isPassing = outcome.isGood
        if isNow(age) {
            _ = await show(Self.outcomeKey, note, of: age)
        } else {
            // After a lock only what has no content.
            note.body = []
            _ = await notifier?.show(key: Self.outcomeKey, note: note)
        }
    }

    private func isNow(_ age: Int) -> Bool { state.withLock { $0.age == age } }

    /// Shows what was made at this age, unless content had to leave the screen since. Whether it is shown.
    private func show(_ key: String, _ note: Note, of age: Int) async -> Bool {
        await notifier?.show(key: key, note: note, where: { self.isNow(age) }) ?? false
    }

    private func obey(_ event: NotifierEvent, _ core: AgentCore) async {
        do {
            switch event {
            case .review(let key, _): try await core.review(key)
            case .deny(let key, let fingerprint): try await core.deny(key, showing: fingerprint)
            }
        } catch {
            let failure = Failure(error)
            if failure.kind != .cancelled { tell(.failed(failure), of: nil) }
        }
    }
}
