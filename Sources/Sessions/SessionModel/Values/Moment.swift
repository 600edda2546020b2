package import Basics
package import FoundationEssentials

/// When something happened, by two clocks: the wall clock, which anybody may set, and the boot clock, which nobody can.
package struct Moment: Sendable, Equatable, Codable {
    package var wall: Date
    /// `BootTime.bootID`; nil where the boot clock could not be trusted.
    package var bootID: String?
    package var bootSeconds: Int64

    package init(wall: Date, boot: BootTime?) {
        self.wall = wall
        bootID = boot?.bootID
        bootSeconds = boot?.seconds ?? 0
    }

    package init(_ clock: Clock) { self.init(wall: clock.now(), boot: clock.boot()) }

    /// Seconds from `earlier` to here by the boot clock; nil when both are not known to be of one boot.
    package func secondsInBoot(since earlier: Moment) -> Int64? {
        guard let bootID, bootID == earlier.bootID, bootSeconds >= earlier.bootSeconds else { return nil }
        return bootSeconds - earlier.bootSeconds
    }

    /// By the boot clock where both are of one boot, and else by the wall clock.
    func isBefore(_ later: Moment) -> Bool {
        guard let bootID, bootID == later.bootID else { return wall <= later.wall }
        return bootSeconds <= later.bootSeconds
    }

    /// How many of `seconds` are left, counted from `earlier`: by the boot clock with 10 s to spare; in another boot by the wall
    /// clock with 60 s to spare. None when the wall clock stands before `earlier`, since then nothing is known.
    package func secondsLeft(of seconds: Int64, since earlier: Moment) -> Int64 {
        if let passed = secondsInBoot(since: earlier) { return max(0, Self.usable(of: seconds) - passed) }
        let passed = wall.timeIntervalSince(earlier.wall)
        guard passed >= 0, passed < Double(seconds) else { return 0 }
        return max(0, seconds - 60 - Int64(passed))
    }

    /// When `secondsLeft` reaches 0, by the present wall clock. If nobody set that clock since `earlier`, the time is counted from
    /// `earlier`, so that asking twice gives the same second.
    package func end(of seconds: Int64, since earlier: Moment) -> Date {
        let fromNow = wall + TimeInterval(secondsLeft(of: seconds, since: earlier))
        let spare = secondsInBoot(since: earlier) == nil ? 60 : 10
        let fromThen = earlier.wall + TimeInterval(max(0, seconds - Int64(spare)))
        return abs(fromNow.timeIntervalSince(fromThen)) < 2 ? fromThen : fromNow
    }

    /// How many of `seconds` can be used: 10 s are kept back for the request's way.
    package static func usable(of seconds: Int64) -> Int64 { max(0, seconds - 10) }
}
