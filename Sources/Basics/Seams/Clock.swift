public import FoundationEssentials

/// The clocks of this machine.
public struct Clock: Sendable {
    /// Wall clock.
    public var now: @Sendable () -> Date
    /// Which boot this is, and CLOCK_BOOTTIME in seconds; nil when the process may be shown a false boot or shifted clocks, and
    /// so cannot judge a block.
    public var boot: @Sendable () -> BootTime?
    /// A clock that no one can set and that goes on while the machine sleeps; by it time limits are kept.
    public var moment: @Sendable () -> ContinuousClock.Instant
    /// Waits until a moment of that clock. Throws when its task is cancelled before.
    public var sleepUntil: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// Without `moment` and `sleepUntil` these are the machine's own.
    public init(
        now: @escaping @Sendable () -> Date, boot: @escaping @Sendable () -> BootTime?,
        moment: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        sleepUntil: @escaping @Sendable (ContinuousClock.Instant) async throws -> Void = {
            try await Task.sleep(until: $0, tolerance: .zero, clock: .continuous)
        }
    ) {
        self.now = now
        self.boot = boot
        self.moment = moment
        self.sleepUntil = sleepUntil
    }

    /// Waits so long. Throws when its task is cancelled before.
    public func sleep(for duration: Duration) async throws { try await sleepUntil(moment() + duration) }
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
