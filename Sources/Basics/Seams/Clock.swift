public import FoundationEssentials

/// The clocks of this machine.
public struct Clock: Sendable {
    /// Wall clock.
    public var now: @Sendable () -> Date
    /// Which boot this is, and CLOCK_BOOTTIME in seconds; nil when the process may be shown a false boot or shifted clocks, and
    /// so cannot judge a block.
    public var boot: @Sendable () -> BootTime?

    public init(now: @escaping @Sendable () -> Date, boot: @escaping @Sendable () -> BootTime?) {
        self.now = now
        self.boot = boot
    }
}

/// A moment that no one can set: which boot, and how many seconds of it have passed, sleep included.
public struct BootTime: Sendable, Equatable {
    public var bootID: String
    public var seconds: Int64

    public init(bootID: String, seconds: Int64) {
        self.bootID = bootID
        self.seconds = seconds
    }
}
