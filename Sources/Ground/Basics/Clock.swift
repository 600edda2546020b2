package import FoundationEssentials

/// The clocks of this machine.
package struct Clock: Sendable {
    /// Wall clock.
    package var now: @Sendable () -> Date
    /// Which boot this is, and CLOCK_BOOTTIME in seconds. Nil when the process cannot trust either (see
    /// `PINError.clockShifted`).
    package var boot: @Sendable () -> BootTime?
    /// A clock for time limits, which nobody can set and which also runs while the machine sleeps.
    package var moment: @Sendable () -> ContinuousClock.Instant
    /// Waits until a moment of that clock. Throws when its task is cancelled.
    package var sleepUntil: @Sendable (ContinuousClock.Instant) async throws -> Void

    /// `moment` and `sleepUntil` are those of the machine by default.
    package init(
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

    /// Waits this long. Throws when its task is cancelled.
    package func sleep(for duration: Duration) async throws { try await sleepUntil(moment() + duration) }
}

/// A moment by a clock that nobody can set: which boot, and the seconds since it began, sleep included.
package struct BootTime: Sendable, Equatable {
    /// `/proc/sys/kernel/random/boot_id`.
    package var bootID: String
    /// CLOCK_BOOTTIME in whole seconds.
    package var seconds: Int64

    package init(bootID: String, seconds: Int64) {
        self.bootID = bootID
        self.seconds = seconds
    }
}
