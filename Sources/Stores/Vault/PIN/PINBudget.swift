import Basics
import Keys

/// The rules for tries and blocks, without I/O.
enum PINBudget {
    /// The failure in a row that destroys the vault.
    static let tries = 9
    /// From this many failures on, a PIN from a file is refused.
    static let personOnly = 5
    /// Seconds of the block that begins with the 5th, 6th, 7th and 8th failure.
    private static let blocks: [Int: Int64] = [5: 60, 6: 5 * 60, 7: 15 * 60, 8: 60 * 60]

    static func triesLeft(_ record: PINRecord) -> Int { tries - min(max(0, record.failures), tries) }

    /// Seconds until a try is allowed; nil when it is allowed now. Within one boot only CLOCK_BOOTTIME counts; after a
    /// reboot the whole block counts again from the start of that boot.
    static func blockedFor(_ record: PINRecord, at now: BootTime) -> Int? {
        guard let block = record.block else { return nil }
        let elapsed =
            now.bootID == block.bootID
            ? max(0, now.seconds.subtractingClamped(block.bootTime)) : max(0, now.seconds)
        return elapsed < block.seconds ? Int(block.seconds - elapsed) : nil
    }

    /// Throws `needsPerson`, `clockShifted` or `blocked` unless a try may be made.
    static func admit(_ record: PINRecord, from source: PINSource, at now: BootTime?) throws {
        if source == .file, record.failures >= personOnly { throw PINError.needsPerson }
        guard let now else { throw PINError.clockShifted }
        if let seconds = blockedFor(record, at: now) { throw PINError.blocked(for: seconds) }
    }

    /// The record with the failures that the keyring counted, if these are more. A count of an ended series is ignored
    /// only if the record proves its series: that nobody wrote the number into the database.
    static func stricter(_ record: PINRecord, _ kept: TryCount?, isSeriesProved: Bool) -> PINRecord {
        guard let kept, kept.series >= record.series || !isSeriesProved else { return record }
        var record = record
        record.series = kept.series
        if kept.failures > record.failures { (record.failures, record.block) = (kept.failures, kept.block) }
        return record
    }

    /// The record with one more try counted as failed, and the block that this failure brings.
    static func counting(_ record: PINRecord, at now: BootTime) -> PINRecord {
        var record = record
        record.failures = max(0, record.failures) + 1
        record.block = blocks[record.failures].map {
            .init(bootID: now.bootID, bootTime: now.seconds, seconds: $0)
        }
        return record
    }
}

extension Int64 {
    fileprivate func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
