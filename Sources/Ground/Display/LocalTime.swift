package import FoundationEssentials
import Glibc

/// Times for people, in this computer's time zone.
package enum LocalTime {
    /// `14:03:22`
    package static func text(_ date: Date) -> String { format(date, "%H:%M:%S") }

    /// `2026-11-21 14:03`
    package static func full(_ date: Date) -> String { format(date, "%Y-%m-%d %H:%M") }

    /// `14:03:22` on the day of `now`, else `2026-11-21 14:03`.
    package static func short(_ date: Date, at now: Date) -> String {
        format(date, "%F") == format(now, "%F") ? text(date) : full(date)
    }

    /// How many seconds local time is ahead of UTC at this time.
    package static func secondsAheadOfUTC(at date: Date) -> Int {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        // localtime_r fills `parts`.
        return localtime_r(&seconds, &parts) == nil ? 0 : parts.tm_gmtoff
    }

    private static func format(_ date: Date, _ pattern: String) -> String {
        var seconds = time_t(date.timeIntervalSince1970)
        var parts = tm()
        var buffer = [CChar](repeating: 0, count: 64)
        // localtime_r fills `parts`; strftime writes at most the buffer's length and returns the count written.
        guard localtime_r(&seconds, &parts) != nil else { return "" }
        let count = strftime(&buffer, buffer.count, pattern, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
