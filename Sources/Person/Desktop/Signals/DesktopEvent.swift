/// An event of the desktop or the machine that matters for locking or polling.
package enum DesktopEvent: Sendable, Equatable {
    /// The screen was locked or blanked, or is so already. May come several times for one lock.
    case screenLocked
    /// A person is at the screen again: it was unlocked, its idle time is over, or a session began on it. May come several times.
    case personCame
    /// The machine is about to sleep, and waits for `DesktopSignals.readyToSleep()` (logind waits five seconds at
    /// most).
    case aboutToSleep
    /// The machine has woken.
    case resumed
    /// A session of this user ends, or the machine shuts down.
    case loggingOut
    /// The session of this process is over, or the user's last session, or the session bus or display that this process
    /// depends on is gone. May come several times.
    case sessionEnded
    /// The network is up again, or the machine uses another one.
    case networkUp
}
