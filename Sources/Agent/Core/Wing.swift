import Authenticator

/// What belongs to one job of an agent, which is a core with a wing for each of its jobs.
///
/// The core knows lock and unlock, time, who asks, and what is being asked of the person. A wing says what its job does when the
/// vault opened, what it keeps while nothing may be shown, and how it shuts. All of it happens at once: core and wings are isolated
/// together.
@AgentActor
protocol Wing: AnyObject {
    /// Throws when it cannot work with this vault; then no wing is opened. Changes nothing.
    func check(_ vault: AgentVault) throws
    /// The PIN opened the vault. It stays open until `hide` or `shut` has returned.
    func opened(_ vault: AgentVault)
    /// Nothing may be shown any more: wipes content, and keeps what goes on without the PIN. Watchers have heard of the lock.
    func hide()
    /// Wipes everything, from open or from hidden. Watchers have heard of the lock.
    func shut()
    /// Time passed: lets go of what is over by now.
    func tick()
    /// What somebody who begins to watch is told first, besides that it is locked.
    var firstEvents: [Event] { get }
    /// Somebody began to watch, or ceased to.
    func watchersChanged()
    /// The machine or the network is back.
    func wakeUp() async
    /// The agent ends: no bank's final word is awaited any more.
    func drain()
}
