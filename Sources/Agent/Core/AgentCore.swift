public import Authenticator
public import Basics
import CPlatform

/// What an agent is besides its socket and its jobs: it holds the unlock and lets go in time, asks the person, and tells watchers
/// what happens. What belongs to a job is a `Wing`.
///
/// Open, it has a vault. Hidden, it has none, and the wings keep only what goes on without the PIN, in locked memory. Shut, nobody
/// keeps anything.
@AgentActor
public final class AgentCore {
    /// What it is made of.
    public struct Parts: Sendable {
        public var gate: any PINGate
        public var clock: Clock
        /// The id of the vault of this home; nil where there is none.
        public var vaultID: @Sendable () throws -> String?
        /// Names the PIN of this home: another name after each change of the PIN. Nil where none is set.
        public var pinID: @Sendable () throws -> String?
        public var limits: Holding.Limits
        /// Writes one line to the journal. It must hold nothing that a bank sent.
        public var report: @Sendable (_ line: String) -> Void
        /// Who asks the person where this environment and terminal say; nil where nobody can be asked.
        public var asker: @Sendable (_ environment: [String: String], _ tty: String?) async -> (any Asking)?

        public init(
            gate: any PINGate, clock: Clock, vaultID: @escaping @Sendable () throws -> String?,
            pinID: @escaping @Sendable () throws -> String?, limits: Holding.Limits,
            report: @escaping @Sendable (String) -> Void,
            asker: @escaping @Sendable ([String: String], String?) async -> (any Asking)?
        ) {
            self.gate = gate
            self.clock = clock
            self.vaultID = vaultID
            self.pinID = pinID
            self.limits = limits
            self.report = report
            self.asker = asker
        }
    }

    enum State {
        /// The vault, and the id of the PIN that opened it.
        case open(AgentVault, pinID: String)
        case hidden(pinID: String)
        case shut
    }

    nonisolated let parts: Parts
    /// In the order in which they are told.
    var wings: [any Wing] = []
    private(set) var state = State.shut
    private var holding: Holding
    private var hub = EventHub()
    /// Grows with each lock, even when the agent is shut already, so that a PIN typed before a lock opens nothing after it.
    private(set) var locks = 0
    /// Grows with each unlock and lock, so that a late result from before is dropped.
    private(set) var generation = 0
    /// Takes the question that is on the screen away; nil while none is asked.
    var takeBack: (@Sendable () -> Void)?
    /// No more questions are asked.
    var isEnding = false
    private var hasToldUnlocked = false

    /// Shut, and without wings.
    init(_ parts: Parts) {
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
        // They hold the core.
        wings = []
    }

    /// Says once, in the journal, that there is no room for all keys in locked memory.
    private func tellUnlocked() {
        let heap = countersign_locked_heap_state()
        guard heap.locked < heap.count, !hasToldUnlocked else { return }
        hasToldUnlocked = true
        parts.report(
            "\((heap.count - heap.locked) / 1024) KiB that hold keys could not be locked, and may reach swap: raise the limit "
                + "(ulimit -l, LimitMEMLOCK=)")
    }

    // MARK: What is held

    /// Expires what is over by now, and returns the state after that.
    @discardableResult
    func tick() -> State {
        apply(holding.tick(at: parts.clock.moment()))
        for wing in wings { wing.tick() }
        // What a PIN opened is over when the PIN was changed or the vault destroyed. A vault that cannot be looked at now may
        // still be there.
        if let pinID, let current = try? Optional.some(parts.pinID()), current != pinID { shut() }
        return state
    }

    /// The id of the PIN that opened the agent; nil while it is shut.
    private var pinID: String? {
        switch state {
        case .open(_, let pinID), .hidden(let pinID): pinID
        case .shut: nil
        }
    }

    /// The person did something: the unlock goes on.
    func use() { apply(holding.use(at: parts.clock.moment())) }

    private func apply(_ effect: Holding.Effect) {
        switch effect {
        case .none: break
        case .hide: hide()
        case .shut: wipe()
        }
    }

    /// The PIN of this name was right; it was typed when there had been `locks` locks. Throws a failure of kind `locked` when
    /// another came since, `PINError.changed` when the PIN was changed, and what a wing cannot work with.
    func opened(_ vault: any OpenVault, by pinID: String, since locks: Int) throws {
        tick()
        guard try parts.pinID() == pinID else { throw PINError(.changed) }
        guard locks == self.locks else { throw Self.isLocked }
        if case .open = state { return holding.unlocked(at: parts.clock.moment()) }
        let vault = AgentVault(vault)
        for wing in wings { try wing.check(vault) }
        holding.unlocked(at: parts.clock.moment())
        change(to: .open(vault, pinID: pinID))
        for wing in wings { wing.opened(vault) }
        tell(.unlocked)
    }

    private func hide() {
        guard case .open(let vault, let pinID) = state else { return }
        change(to: .hidden(pinID: pinID))
        tell(.locked)
        for wing in wings { wing.hide() }
        vault.close()
    }

    private func wipe() {
        let before = state
        change(to: .shut)
        tell(.locked)
        for wing in wings { wing.shut() }
        if case .open(let vault, _) = before { vault.close() }
    }

    /// Late results from before are dropped. A question on the screen may show content, so it is taken away too.
    private func change(to state: State) {
        generation += 1
        takeBack?()
        self.state = state
    }

    /// Wipes everything.
    func shut() {
        locks += 1
        apply(holding.shut())
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
        for wing in wings { await wing.wakeUp() }
    }

    // MARK: Watching

    /// Whether somebody watches.
    var isWatched: Bool { hub.isWatched }

    /// Tells every watcher.
    ///
    /// - Parameter more: how many more events than usual may wait for one of them.
    func tell(_ event: Event, more: Int = 0) { hub.tell(event, more: more) }

    /// The same of what happened now.
    func tell(_ kind: Event.Kind) { tell(Event(kind, at: parts.clock.now())) }

    /// First what waits, then each change; while locked, only how many wait. It is no use.
    func events() -> AsyncThrowingStream<Event, any Error> {
        var first: [Event] = []
        switch tick() {
        case .open: break
        case .hidden, .shut: first.append(Event(.locked, at: parts.clock.now()))
        }
        first += wings.flatMap(\.firstEvents)
        let events = hub.join(first: first) { [weak self] number in Task { await self?.leave(number) } }
        for wing in wings { wing.watchersChanged() }
        return events
    }

    private func leave(_ number: Int) {
        hub.leave(number)
        for wing in wings { wing.watchersChanged() }
    }

    // MARK: The end

    /// Returns when its task is cancelled; from then on no decision's final word is awaited, and no person.
    public func holdUntilDraining() async {
        while !Task.isCancelled { try? await parts.clock.sleep(for: .seconds(3600)) }
        isEnding = true
        takeBack?()
        for wing in wings { wing.drain() }
    }
}
