public import Authenticator
public import Basics
import CPlatform
import FoundationEssentials
public import SCA

/// What an agent is besides its socket: it holds the unlock, polls, tells what happens, and serves requests.
///
/// Open, it has a session like any command. Hidden, it keeps only what polling needs, in locked memory. Shut, it keeps nothing.
public actor AgentCore {
    /// What it is made of.
    public struct Parts: Sendable {
        public var gate: any PINGate
        /// A session on an opened vault.
        public var session: @Sendable (any OpenVault) -> Session
        public var setup: LocalOperations.Setup
        public var providers: Providers
        public var clock: Clock
        /// The id of the vault of this home; nil where there is none.
        public var vaultID: @Sendable () throws -> String?
        /// How many connections their banks no longer know.
        public var endedConnections: @Sendable () throws -> Int
        /// Names the PIN of this home: another name after each change of the PIN. Nil where none is set.
        public var pinID: @Sendable () throws -> String?
        public var pace: PollSchedule.Pace
        public var limits: Holding.Limits
        /// Where polls run; nil for anywhere.
        public var executor: (any TaskExecutor)?
        /// How polling waits there; nil for by the clock.
        public var sleep: Poller.Sleep?
        public var announcer: any Announcing
        /// Asks the person where this environment and terminal say; nil where nobody can be asked.
        public var asker: @Sendable (_ environment: [String: String], _ tty: String?) async -> (any Asking)?

        public init(
            gate: any PINGate,
            session: @escaping @Sendable (any OpenVault) -> Session,
            setup: LocalOperations.Setup, providers: Providers, clock: Clock,
            vaultID: @escaping @Sendable () throws -> String?, endedConnections: @escaping @Sendable () throws -> Int,
            pinID: @escaping @Sendable () throws -> String?,
            pace: PollSchedule.Pace, limits: Holding.Limits,
            executor: (any TaskExecutor)? = nil, sleep: Poller.Sleep? = nil, announcer: any Announcing,
            asker: @escaping @Sendable ([String: String], String?) async -> (any Asking)?
        ) {
            self.gate = gate
            self.session = session
            self.setup = setup
            self.providers = providers
            self.clock = clock
            self.vaultID = vaultID
            self.endedConnections = endedConnections
            self.pinID = pinID
            self.pace = pace
            self.limits = limits
            self.executor = executor
            self.sleep = sleep
            self.announcer = announcer
            self.asker = asker
        }
    }

    /// What an unlock gives.
    struct Open {
        let session: Session
        let vault: AgentVault
        let pinID: String
        let watcher: Watcher
        let seen = SeenAuthorizations()
        let polling: Polling
        /// What waits: it belongs to its connection, whose name may change.
        var cards: [ItemKey: Card] = [:]
        /// The references that it had under earlier names.
        var formerReferences: [ItemKey: Set<String>] = [:]
        var waiting: [ConnectionGUID: Set<BankID>] = [:]
        /// Banks that fail, and since when.
        var failures: [ConnectionGUID: (connection: Connection, error: any Error, since: Date)] = [:]
    }

    /// What is left of it while nothing may be shown.
    struct Hidden {
        let pinID: String
        let polling: Polling
        /// Those whose bank still knows them.
        var connections: [ConnectionGUID]
        var waiting: [ConnectionGUID: Set<BankID>]

        var count: Int { waiting.values.map(\.count).reduce(0, +) }
    }

    enum Held {
        case open(Open)
        case hidden(Hidden)
        case nothing
    }

    /// A poller and the task that runs it.
    struct Polling {
        let poller: Poller
        let task: Task<Void, Never>
    }

    let parts: Parts
    private nonisolated let queue = CoreQueue()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
    let inFlight = InFlight()
    var holding: Holding
    var held = Held.nothing
    var hub = EventHub()
    var enrollments: [String: LocalEnrollment] = [:]
    /// Notices when the person may be approving out of habit. It is kept over a lock.
    var fatigue = FatigueGuard()
    /// Grows with each lock, even when the agent is shut already, so that a PIN typed before a lock opens nothing after it.
    var locks = 0
    /// Grows with each unlock and lock, so that a late result from before is dropped.
    var generation = 0
    /// Takes the question of the agent's own from the screen; nil while none is asked.
    var takeBack: (@Sendable () -> Void)?
    /// The authorization that it is about, where it is about one.
    var questioned: Card?
    /// Why it left the screen unanswered, where the authorization is over.
    var questionEnding: Failure?
    /// What the last question was about, if it was on the list of its bank then.
    var listed: Fingerprint?
    /// No more questions are asked.
    var isEnding = false
    private var hasToldUnlocked = false
    /// How many events of one poll are told before others get their turn.
    private static let atOnce = 256

    public init(_ parts: Parts) {
        self.parts = parts
        holding = Holding(parts.limits)
    }

    /// Lets go in time, until its task is cancelled; then it shuts.
    public func run() async {
        while !Task.isCancelled {
            tick()
            tellUnlocked()
            // What only a request needed; polls need little.
            countersign_trim_memory()
            // Never long: a timer may stand still while the machine sleeps.
            let latest = parts.clock.moment() + .seconds(15)
            try? await parts.clock.sleepUntil(min(holding.end ?? latest, latest))
        }
        shut()
        hub.finish()
    }

    /// Says once, in the journal, that there is no room for all keys in locked memory.
    private func tellUnlocked() {
        let heap = countersign_locked_heap_state()
        guard heap.locked < heap.count, !hasToldUnlocked else { return }
        hasToldUnlocked = true
        parts.announcer.report(
            "\((heap.count - heap.locked) / 1024) KiB that hold keys could not be locked, and may reach swap: raise the limit "
                + "(ulimit -l, LimitMEMLOCK=)")
    }

    // MARK: Holding

    /// Expires what is over by now, and returns the state after that.
    @discardableResult
    func tick() -> Held {
        apply(holding.tick(at: parts.clock.moment()))
        expire()
        // What a PIN opened is over when the PIN was changed or the vault destroyed. A vault that cannot be looked at now may
        // still be there.
        if let pinID, let current = try? Optional.some(parts.pinID()), current != pinID { shut() }
        return held
    }

    /// The id of the PIN that opened the agent; nil while it is shut.
    private var pinID: String? {
        switch held {
        case .open(let open): open.pinID
        case .hidden(let hidden): hidden.pinID
        case .nothing: nil
        }
    }

    private func apply(_ effect: Holding.Effect) {
        switch effect {
        case .none: break
        case .hide: hide()
        case .shut: wipe()
        }
    }

    func use() { apply(holding.use(at: parts.clock.moment())) }

    /// Wipes everything and stops polling.
    func shut() {
        locks += 1
        apply(holding.shut())
        abandonEnrollments()
    }

    /// What has run out no longer waits, also where its bank does not answer.
    private func expire() {
        guard case .open(var open) = held else { return }
        let now = parts.clock.now()
        let over = open.cards.filter { $0.value.isExpired(at: now) }.map(\.key)
        guard !over.isEmpty else { return }
        for key in over {
            open.forget(key)
            parts.announcer.retract(key.text)
        }
        held = .open(open)
        attend()
    }

    /// The PIN of this name was right; it was typed when there had been `locks` locks. Throws a failure of kind `locked` when
    /// another came since, `PINError.changed` when the PIN was changed, and what the ledger throws when it cannot be read.
    func opened(_ vault: any OpenVault, by pinID: String, since locks: Int) throws {
        tick()
        guard try parts.pinID() == pinID else { throw PINError(.changed) }
        guard locks == self.locks else { throw Self.isLocked }
        if case .open = held { return holding.unlocked(at: parts.clock.moment()) }
        let vault = AgentVault(vault)
        let session = parts.session(vault)
        _ = try session.connections.connections()
        holding.unlocked(at: parts.clock.moment())
        letGo()
        let kept = enrollments.values
        Task { for steps in kept { await steps.resume(in: session) } }
        let watcher = Watcher(session, pace: parts.pace, sleep: parts.sleep)
        let generation = generation
        let task = Task.detached(executorPreference: parts.executor) { [self] in
            do {
                try await watcher.run { await self.hear($0, generation) }
            } catch {
                await failed(Failure(error), generation)
            }
        }
        held = .open(
            Open(
                session: session, vault: vault, pinID: pinID, watcher: watcher,
                polling: Polling(poller: watcher.poller, task: task)))
        attend()
        hub.tell(Event(.unlocked, at: parts.clock.now()))
        parts.announcer.unhide()
    }

    /// The vault went away while it was polled.
    private func failed(_ failure: Failure, _ generation: Int) {
        guard generation == self.generation else { return }
        parts.announcer.report("locked, as the connections cannot be read: \(failure.message)")
        shut()
    }

    /// Keeps what polling needs, and nothing else.
    private func hide() {
        guard case .open(let open) = held else { return }
        let all = (try? open.session.connections.connections()) ?? []
        let kept = all.filter { $0.status == .active }.compactMap { connection in
            (try? HiddenConnection(connection, parts.providers, open.vault)).map { (connection.guid, $0) }
        }
        let connections = Dictionary(kept, uniquingKeysWith: { first, _ in first })
        let waiting = open.waiting.filter { connections[$0.key] != nil }
        letGo()
        let poller = Poller(pace: parts.pace, clock: parts.clock, sleep: parts.sleep)
        let (providers, now, generation) = (parts.providers, parts.clock.now, generation)
        let task = Task.detached(executorPreference: parts.executor) { [self] in
            _ = try? await poller.run {
                await self.hiddenConnections
            } ask: { guid in
                guard let connection = connections[guid] else { return .init() }
                do {
                    let answer = try await connection.ask(providers, at: now)
                    return .init(isEvent: await self.heard(answer, from: guid, generation), at: answer.receivedAt)
                } catch {
                    if (error as? BankError)?.code == .connectionGone { await self.isGone(guid, generation) }
                    return .init(error: error)
                }
            }
        }
        let hidden = Hidden(
            pinID: open.pinID, polling: Polling(poller: poller, task: task), connections: Array(connections.keys),
            waiting: waiting)
        held = .hidden(hidden)
        attend()
        tellLocked(waiting: hidden.count)
    }

    private var hiddenConnections: [ConnectionGUID] {
        if case .hidden(let hidden) = held { hidden.connections } else { [] }
    }

    /// Its bank no longer knows it. Nothing is written while hidden; the first poll after the PIN finds it too.
    private func isGone(_ guid: ConnectionGUID, _ generation: Int) {
        guard generation == self.generation, case .hidden(var hidden) = held else { return }
        hidden.connections.removeAll { $0 == guid }
        hidden.waiting[guid] = nil
        held = .hidden(hidden)
    }

    private func wipe() {
        letGo()
        abandonEnrollments()
        held = .nothing
        tellLocked(waiting: nil)
    }

    /// Closes the session that is held now. Its late results are dropped. A question on the screen may show content, so it is
    /// closed too.
    private func letGo() {
        generation += 1
        takeBack?()
        switch held {
        case .open(let open):
            open.polling.task.cancel()
            open.vault.close()
            open.session.opened.close()
            open.seen.wipe()
            parts.providers.forget()
        case .hidden(let hidden): hidden.polling.task.cancel()
        case .nothing: break
        }
    }

    /// A person may be on a bank's page for longer than the agent stays open; but nothing outlives a shut one.
    private func abandonEnrollments() {
        let abandoned = enrollments.values
        enrollments = [:]
        if !abandoned.isEmpty { Task { for steps in abandoned { await steps.abandon() } } }
    }

    private func tellLocked(waiting: Int?) {
        let now = parts.clock.now()
        hub.tell(Event(.locked, at: now))
        if let waiting { hub.tell(Event(.waiting(waiting), at: now)) }
        parts.announcer.hide(waiting: waiting)
    }

    // MARK: Polling

    /// Makes the cards beside the core and the calls to banks, since there may be thousands, and tells them a few at a time.
    private nonisolated func hear(_ events: [WatchEvent], _ generation: Int) async {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            let now = parts.clock.now()
            for start in stride(from: 0, to: events.count, by: Self.atOnce) {
                let told = events[start..<min(start + Self.atOnce, events.count)].map {
                    ($0, Event(telling: $0, at: now))
                }
                await heard(told, of: events.count, generation)
            }
        }
    }

    private func heard(_ events: [(WatchEvent, Event)], of count: Int, _ generation: Int) {
        guard generation == self.generation, case .open(var open) = held else { return }
        let room = open.cards.count + count
        let now = parts.clock.now()
        for (event, prepared) in events {
            open.seen.note(event)
            let told = inform(prepared, of: event, open)
            hub.tell(told, more: room)
            switch event {
            case .added(let item), .changed(let item), .renamed(let item):
                guard let card = told.card else { continue }
                let key = ItemKey(item)
                if let before = open.cards[key], before.fingerprint != card.fingerprint {
                    endQuestion(about: before.fingerprint, Failure.changed.naming(reference: before.reference))
                }
                open.cards[key] = card
                fatigue.arrived(card.request, at: parts.clock.moment())
                open.waiting[item.connection.guid, default: []].insert(item.authorization.id)
                parts.announcer.announce(card, as: key.text)
            case .renaming(let item, _):
                open.formerReferences[ItemKey(item), default: []].insert(item.reference)
            case .removed(let item):
                endQuestion(about: item.authorization.fingerprint, .gone)
                open.forget(ItemKey(item))
                open.waiting[item.connection.guid]?.remove(item.authorization.id)
                parts.announcer.retract(ItemKey(item).text)
            case .failure(_, let error as OverturnedDenial):
                let shown = error.entry.shown
                parts.announcer.alarm(Reference.text(shown.connectionName, shown.id), Failure(error))
            case .failure(let connection, let error):
                if !(error is ItemFault) { open.failures[connection.guid] = (connection, error, now) }
            case .recovered(let connection): open.failures[connection.guid] = nil
            case .decided, .heard: break
            }
        }
        held = .open(open)
        attend()
    }

    /// The event with the present name of its connection, which may have been renamed since the event was made.
    private func inform(_ told: Event, of event: WatchEvent, _ open: Open) -> Event {
        switch event {
        case .added(var item), .changed(var item), .removed(var item), .renamed(var item):
            guard let connection = open.watcher.connection(item.connection.guid),
                connection.name != item.connection.name
            else { return told }
            item.connection = connection
            return told.with(Card(item.authorization, of: connection))
        default: return told
        }
    }

    /// A connection may have another name, or be gone: what waits there is told under its new references, or as removed, at once.
    func connectionsChanged() async {
        guard case .open(let open) = held, let events = try? open.watcher.reload().events else { return }
        await hear(open.session.completing(events), generation)
    }

    /// Returns whether others wait than before, but for those that can no longer be opened (`WatchEvent.isNews`).
    private func heard(_ answer: HiddenConnection.Answer, from guid: ConnectionGUID, _ generation: Int) -> Bool {
        guard generation == self.generation, case .hidden(var hidden) = held else { return false }
        let changed = (hidden.waiting[guid] ?? []).symmetricDifference(answer.waiting)
        guard !changed.isEmpty else { return false }
        hidden.waiting[guid] = answer.waiting
        held = .hidden(hidden)
        attend()
        hub.tell(Event(.waiting(hidden.count), at: parts.clock.now()))
        parts.announcer.hide(waiting: hidden.count)
        return !changed.isSubset(of: answer.faulty)
    }

    /// While somebody watches or an authorization waits, all banks are asked often.
    private func attend() {
        let (polling, waits): (Polling, Bool)
        let isWatched = hub.isWatched
        switch held {
        case .open(let open):
            (polling, waits) = (open.polling, !open.cards.isEmpty)
            open.watcher.tellHearings(isWatched)
        case .hidden(let hidden): (polling, waits) = (hidden.polling, hidden.waiting.values.contains { !$0.isEmpty })
        case .nothing: return
        }
        let attention: PollSchedule.Attention = isWatched ? .watched : waits ? .pending : .none
        Task { await polling.poller.setAttention(attention) }
    }

    // MARK: The desktop

    /// The screen was locked.
    public func screenLocked() {
        locks += 1
        apply(holding.screenLocked(at: parts.clock.moment()))
    }

    /// The machine goes to sleep, or the person logs out: when this returns all is wiped.
    public func leaving() { shut() }

    /// The machine or the network is back.
    public func wakeUp() async {
        tick()
        switch held {
        case .open(let open): await open.polling.poller.wakeUp()
        case .hidden(let hidden): await hidden.polling.poller.wakeUp()
        case .nothing: break
        }
    }

    // MARK: Watching

    func watch() -> AsyncThrowingStream<Event, any Error> {
        tick()
        let now = parts.clock.now()
        var first: [Event] = []
        switch held {
        case .open(let open):
            first =
                open.cards.values.sorted(by: Card.areInOrder).map { Event(.added($0), at: now) } + failures(of: open)
            first += open.watcher.faults().map { Event(telling: $0, at: now) }
            first.append(Event(telling: .heard(open.watcher.hearings()), at: now))
        case .hidden(let hidden):
            first = [Event(.locked, at: now), Event(.waiting(hidden.count), at: now)]
        case .nothing:
            first = [Event(.locked, at: now)]
        }
        let events = hub.join(first: first) { [weak self] number in Task { await self?.leave(number) } }
        attend()
        return events
    }

    /// Leaves out the cards of connections that are gone meanwhile.
    private func failures(of open: Open) -> [Event] {
        let known = (try? open.session.connections.connections().map(\.guid)).map(Set.init)
        return open.failures.filter { known?.contains($0.key) ?? true }.map { guid, failure in
            let connection = open.watcher.connection(guid) ?? failure.connection
            // Its words name the connection, which may have another name by now.
            let error =
                failure.error is LookupError
                ? LookupError(.inactive, wanted: connection.name.text) : failure.error
            return Event(telling: .failure(connection, error), at: failure.since)
        }
    }

    private func leave(_ number: Int) {
        hub.leave(number)
        attend()
    }

    // MARK: The end

    /// Returns when its task is cancelled; from then on no decision's final word is awaited, and no person.
    public func holdUntilDraining() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        isEnding = true
        takeBack?()
        inFlight.drain()
    }
}

extension Card {
    /// By creation, then by reference (saltedge-v1 section 13).
    static func areInOrder(_ a: Card, _ b: Card) -> Bool {
        (a.createdAt ?? .distantPast, a.reference) < (b.createdAt ?? .distantPast, b.reference)
    }
}
