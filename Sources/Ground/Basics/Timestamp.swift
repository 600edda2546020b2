package import FoundationEssentials

/// A time of whole seconds, whose JSON is its text in ISO 8601; and how banks write times (saltedge-v1 section 10).
///
/// Written here because Foundation's `Date.ISO8601FormatStyle` reads one form, fixed beforehand, and banks write
/// several.
package struct Timestamp: Sendable, Hashable {
    package let date: Date

    /// Rounds down to a second.
    package init(_ date: Date) { self.date = Date(timeIntervalSince1970: Double(Self.seconds(of: date))) }

    package init?(_ text: String) {
        guard let date = Self.parse(text) else { return nil }
        self.init(date)
    }

    /// `2030-01-01T00:00:00Z`
    package var text: String { Self.format(date) }

    /// The date in UTC: `2030-01-01`
    package var day: String { String(text.prefix(10)) }

    /// `2030-01-01T00:00:00[.fraction]` with `Z` or an offset (`+02:00`, `+0200`, `+02`). Nil for anything else, also
    /// for a time without an offset or a date that is not in the calendar.
    package static func parse(_ text: String) -> Date? {
        guard text.utf8.count <= 64 else { return nil }
        var reader = Reader(rest: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T", "t", " "), let hour = reader.number(2), reader.take(":"),
            let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            let whole = seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        else { return nil }
        var fraction = 0.0
        if reader.take(".", ",") {
            guard let value = reader.fraction() else { return nil }
            fraction = value
        }
        guard let offset = reader.offset(), reader.rest.isEmpty else { return nil }
        return Date(timeIntervalSince1970: Double(whole - offset) + fraction)
    }

    /// UTC without a fraction, rounded down: `2030-01-01T00:00:00Z`. A time outside of the years 0 to 9999 becomes the
    /// nearest one within them.
    package static func format(_ date: Date) -> String {
        let total = seconds(of: date)
        let days = total >= 0 ? total / 86400 : (total - 86399) / 86400
        let second = total - days * 86400
        let (year, month, day) = civil(days)
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(second / 3600, 2) + ":"
            + pad(second / 60 % 60, 2) + ":" + pad(second % 60, 2) + "Z"
    }

    /// Whole seconds since 1970, within the years 0 to 9999.
    private static func seconds(of date: Date) -> Int {
        let limits = -62_167_219_200.0...253_402_300_799.0
        return Int(min(max(date.timeIntervalSince1970, limits.lowerBound), limits.upperBound).rounded(.down))
    }

    /// Seconds since 1970 in UTC; nil for a date that is not in the calendar. A leap second counts as the second after
    /// it.
    package static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Int? {
        guard (0...9999).contains(year), (1...12).contains(month), (1...length(of: month, in: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        // Days since 1970-01-01, counted in years that begin in March.
        let y = month > 2 ? year : year - 1
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return days * 86400 + hour * 3600 + minute * 60 + second
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * part + 2) / 5 + 1)
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func take(_ allowed: Unicode.Scalar...) -> Bool {
            guard let byte = rest.first, allowed.contains(Unicode.Scalar(byte)) else { return false }
            rest.removeFirst()
            return true
        }

        /// Exactly `count` digits.
        mutating func number(_ count: Int) -> Int? {
            var value = 0
            for _ in 0..<count {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        /// One digit or more; digits beyond nanoseconds are ignored.
        mutating func fraction() -> Double? {
            var value = 0
            var scale = 1
            guard var next = digit() else { return nil }
            while true {
                if scale < 1_000_000_000 {
                    value = value * 10 + next
                    scale *= 10
                }
                guard let digit = digit() else { return Double(value) / Double(scale) }
                next = digit
            }
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if take("Z", "z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2), hours <= 23 else { return nil }
            if rest.isEmpty { return sign * hours * 3600 }
            _ = take(":")
            guard let minutes = number(2), minutes <= 59 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }

        private mutating func digit() -> Int? {
            guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            rest.removeFirst()
            return Int(byte - UInt8(ascii: "0"))
        }
    }
}

extension Timestamp: Comparable {
    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.date < other.date }
}

extension Timestamp: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time")
        }
        self = time
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
