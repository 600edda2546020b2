package import Basics
import CPlatform
import Cryptography
package import Keys
import AgentWire

/// The agent without its socket and its jobs: it holds the unlock and ends it on time, asks the person, and sends
/// events to watchers. Each job is a `Wing`.
///
/// While open, the core has a vault. While hidden it has none, and the wings keep, in locked memory, only the data that
/// they use without the PIN. While shut, nothing is kept.
@AgentActor
package final class AgentCore {
    /// The core's dependencies.
    package struct Dependencies: Sendable {
        package var gate: any PINGate
        package var clock: Clock
        /// The id of this home's vault; nil if there is no vault.
        package var vaultID: @Sendable () throws -> String?
        /// The id of this home's PIN, a new one after each change of the PIN; nil if no PIN is set.
        package var pinID: @Sendable () throws -> String?
        package var limits: UnlockMachine.Limits
        /// Writes one line to the journal. It must hold nothing that came from outside.
        package var report: @Sendable (_ line: String) -> Void
        /// Finds the prompter for this environment and terminal; nil if nobody can be asked.
        package var asker: @Sendable (_ environment: [String: String], _ tty: String?) async -> (any Asking)?

        package init(
            gate: any PINGate, clock: Clock, vaultID: @escaping @Sendable () throws -> String?,
            pinID: @escaping @Sendable () throws -> String?, limits: UnlockMachine.Limits,
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

    nonisolated let dependencies: Dependencies
    /// In the order in which they learn of each change.
    var wings: [any Wing] = []
    private(set) var state = State.shut
    private var unlockMachine: UnlockMachine
    private var hub = EventHub()
    /// Counts the locks, also those of an agent that is already shut, so that a PIN typed before a lock opens nothing
    /// after it.
    private(set) var locks = 0
    /// Counts the unlocks and locks, so that a result from before one is dropped.
    private(set) var generation = 0
    /// Removes the question that is on the screen; nil while none is asked.
    var takeBack: (@Sendable () -> Void)?
    /// The agent is ending: no more questions are asked.
    var isEnding = false
    private var hasToldUnlocked = false

    /// Begins shut and without wings.
    init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        unlockMachine = UnlockMachine(dependencies.limits)
    }

    /// Expires the unlock on schedule; shuts when its task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            tick()
            tellUnlocked()
            // Gives back memory that only a request needed; polls need little.
            countersign_trim_memory()
            // At most 15 seconds, because a timer may stand still while the machine sleeps.
            let latest = dependencies.clock.moment() + .seconds(15)
            try? await dependencies.clock.sleepUntil(min(unlockMachine.end ?? latest, latest))
        }
        shut()
        hub.finish()
        // The wings hold the core, so this breaks the cycle.
        wings = []
    }

    /// Reports once, in the journal, that not all secrets fit into locked memory.
    private func tellUnlocked() {
        let refused = LockedPages.refused
        guard refused > 0, !hasToldUnlocked else { return }
        hasToldUnlocked = true
        dependencies.report(
            "\(refused / 1024) KiB that hold keys could not be locked, and may reach swap: raise the limit "
                + "(ulimit -l, LimitMEMLOCK=)")
    }

    // MARK: The unlock

    /// Expires an unlock that is due, and returns the state after that.
    @discardableResult
    func tick() -> State {
        unlockMachine.hold(until: wings.compactMap(\.heldUntil).max())
        apply(unlockMachine.tick(at: dependencies.clock.moment()))
        for wing in wings { wing.tick() }
        // A changed PIN or a destroyed vault ends the unlock. If the PIN's id cannot be read now, the vault may still
        // be there.
        if let pinID, let current = try? Optional.some(dependencies.pinID()), current != pinID { shut() }
        return state
    }

    /// The id of the PIN that opened the agent; nil while it is shut.
    private var pinID: String? {
        switch state {
        case .open(_, let pinID), .hidden(let pinID): pinID
        case .shut: nil
        }
    }

    /// The person did something, which prolongs the unlock.
    func use() {
        apply(unlockMachine.use(at: dependencies.clock.moment()))
        for wing in wings { wing.used() }
    }

    private func apply(_ effect: UnlockMachine.Effect) {
        switch effect {
        case .none: break
        case .hide: hide()
        case .shut: wipe()
        }
    }

    /// Opens the agent after the right PIN. `pinID` names the PIN that was typed, and `locks` is the count of locks
    /// before it was checked. Throws a failure of kind `locked` if a lock came since, `PINError.changed` if the PIN was
    /// changed since, and the error of a wing that cannot work with this vault.
    func opened(_ vault: any OpenVault, by pinID: String, since locks: Int) throws {
        tick()
        guard try dependencies.pinID() == pinID else { throw PINError.changed }
        guard locks == self.locks else { throw Self.isLocked }
        if case .open(let open, _) = state {
            unlockMachine.unlocked(at: dependencies.clock.moment())
            for wing in wings { wing.unlockedAgain(open) }
            return
        }
        let vault = AgentVault(vault)
        for wing in wings { try wing.check(vault) }
        unlockMachine.unlocked(at: dependencies.clock.moment())
        change(to: .open(vault, pinID: pinID))
        tell(.unlocked(at: dependencies.clock.now()))
        for wing in wings { wing.opened(vault) }
    }

    private func hide() {
        guard case .open(let vault, let pinID) = state else { return }
        change(to: .hidden(pinID: pinID))
        tell(.locked(at: dependencies.clock.now()))
        for wing in wings { wing.hide() }
        vault.close()
    }

    private func wipe() {
        let before = state
        change(to: .shut)
        hub.drop { _ in true }
        tell(.locked(at: dependencies.clock.now()))
        for wing in wings { wing.shut() }
        if case .open(let vault, _) = before { vault.close() }
    }

    /// Drops late results from before, and takes a question off the screen, since it may show content.
    private func change(to state: State) {
        generation += 1
        takeBack?()
        self.state = state
    }

    /// Wipes everything.
    func shut() {
        locks += 1
        apply(unlockMachine.shut())
    }

    // MARK: The desktop

    /// The screen was locked.
    package func screenLocked() {
        locks += 1
        for wing in wings { wing.screenLocked() }
        apply(unlockMachine.screenLocked(at: dependencies.clock.moment()))
    }

    /// The machine goes to sleep, or the person logs out. When this returns, everything is wiped.
    package func leaving() { shut() }

    /// The machine woke up, or the network is back.
    package func wakeUp() async {
        tick()
        for wing in wings { await wing.wakeUp() }
    }

    // MARK: Watching

    /// Whether somebody watches.
    var isWatched: Bool { hub.isWatched }
    /// Whether a watcher wants events of this topic.
    func isWatched(for topic: EventTopic) -> Bool { hub.isWatched(for: topic) }

    /// Sends the event to every watcher that wants its topic.
    ///
    /// - Parameter more: how many events beyond the usual limit may wait for one watcher.
    func tell(_ event: AgentEvent, more: Int = 0) { hub.tell(event, more: more) }

    /// Forgets the events of this topic that no watcher has taken yet.
    func drop(_ topic: EventTopic) { hub.drop { $0.topic == topic } }

    /// Streams the wings' first events, and then each change. Watching does not prolong the unlock.
    ///
    /// - Parameter topics: the topics that are included, apart from the events that every watcher gets.
    func events(of topics: Set<EventTopic>) -> AsyncThrowingStream<AgentEvent, any Error> {
        var first: [AgentEvent] = []
        switch tick() {
        case .open: break
        case .hidden, .shut: first.append(.locked(at: dependencies.clock.now()))
        }
        first += wings.flatMap(\.firstEvents)
        let events = hub.join(first: first, topics: topics) { [weak self] number in
            Task { await self?.leave(number) }
        }
        for wing in wings { wing.watchersChanged() }
        return events
    }

    private func leave(_ number: Int) {
        hub.leave(number)
        for wing in wings { wing.watchersChanged() }
    }

    // MARK: The end

    /// Returns when its task is cancelled. From then on, the wings await no final answers, and the agent asks the person
    /// nothing.
    package func holdUntilDraining() async {
        while !Task.isCancelled { try? await dependencies.clock.sleep(for: .seconds(3600)) }
        isEnding = true
        takeBack?()
        for wing in wings { wing.drain() }
    }
}
