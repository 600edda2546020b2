import AgentWire

/// One job of an agent. An agent is a core with a wing for each of its jobs.
///
/// The core knows lock and unlock, the time, the requester, and the question on the screen. A wing defines how its job
/// starts when the vault opens, which data it keeps while nothing may be shown, and how it shuts. Core and wings share
/// one actor, so each of these changes happens in one step.
@AgentActor
protocol Wing: AnyObject {
    /// Throws if the wing cannot work with this vault; then no wing is opened. Changes nothing.
    func check(_ vault: AgentVault) throws
    /// The sentence that asks for the PIN which unlocks; nil to leave it to another wing.
    var unlockWords: String? { get }
    /// The PIN opened the vault. It stays open until `hide` or `shut` has returned. Watchers already know of it.
    func opened(_ vault: AgentVault)
    /// The PIN was entered although this vault is open.
    func unlockedAgain(_ vault: AgentVault)
    /// Nothing may be shown any more: wipes content, and keeps only the data for work without the PIN. Watchers already
    /// know of the lock.
    func hide()
    /// Wipes everything, from open or from hidden. Watchers already know of the lock.
    func shut()
    /// The screen was locked. The core may be hidden already, and hides after this if it is open.
    func screenLocked()
    /// The person did something with the agent.
    func used()
    /// Until when a person is at a page that leads back to this agent; nil for nobody. The agent does not hide before.
    var heldUntil: ContinuousClock.Instant? { get }
    /// Time passed: drops expired data.
    func tick()
    /// The events that a new watcher gets first, apart from `locked`.
    var firstEvents: [AgentEvent] { get }
    /// A watcher came or left.
    func watchersChanged()
    /// The machine woke up, or the network is back.
    func wakeUp() async
    /// The agent ends: no final answer is awaited any more.
    func drain()
}
