import Basics
import FoundationEssentials

/// Times in HTTP headers (RFC 9110 section 5.6.7). Written here because FoundationEssentials has no reader for them.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; nil for anything else.
    static func parse(_ text: String) -> Date? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = Int(words[1]),
            let month = months.firstIndex(of: String(words[2])), let year = Int(words[3])
        else { return nil }
        let time = words[4].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3,
            let seconds = Timestamp.seconds(
                year: year, month: month + 1, day: day, hour: time[0], minute: time[1], second: time[2])
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// `Retry-After`, which names seconds or a moment, as seconds from now: 0 to one day. Nil for anything else.
    static func delay(_ text: String, from now: Date) -> Int? {
        let seconds = Int(text).map(Double.init) ?? parse(text)?.timeIntervalSince(now)
        return seconds.map { Int(min(max($0.rounded(.up), 0), 86400)) }
    }
}
