/// Something on the desktop or the machine that concerns what is unlocked, or when to poll.
public enum DesktopEvent: Sendable, Equatable {
    /// The screen was locked or blanked, or is so already. May come several times for one lock.
    case screenLocked
    /// The machine goes to sleep, but waits for `DesktopSignals.readyToSleep()` (logind: five seconds at most).
    case aboutToSleep
    /// The machine has woken.
    case resumed
    /// A session of the person ends, or the machine shuts down.
    case loggingOut
    /// The very session that this process belongs to is over, or the person's last one, or what it needs of it is gone. May come
    /// several times.
    case sessionEnded
    /// There is a way to the network again, or another one.
    case networkUp
}
