import FoundationEssentials

/// Writes Unix seconds in the forms that the bank needs.
enum Timestamp {
    /// `2030-01-01T00:00:00.000Z`, saltedge-v1 section 10.
    static func iso8601(_ seconds: Double) -> String {
        Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// `Tue, 01 Jan 2030 00:00:00 GMT`, the form of the `Date` header (RFC 9110 section 5.6.7).
    static func httpDate(_ seconds: Double) -> String {
        let date = Date(timeIntervalSince1970: seconds.rounded(.down))
        // The ISO form in UTC has every number at a fixed place: 2030-01-01T00:00:00Z.
        let parts = date.formatted(Date.ISO8601FormatStyle()).split(whereSeparator: { "-T:Z".contains($0) })
        guard parts.count == 6, let month = Int(parts[1]), (1...12).contains(month) else { return "" }
        let days = Int((seconds / 86400).rounded(.down))
        let weekday = weekdays[((days % 7) + 7) % 7]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    /// Day and minute for people, in UTC.
    static func human(_ seconds: Double) -> String {
        let text = Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle())
        return String(text.prefix(16)).replacing("T", with: " ") + " UTC"
    }

    // The first of January 1970 was a Thursday.
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
