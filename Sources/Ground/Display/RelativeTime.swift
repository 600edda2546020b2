package import FoundationEssentials

/// How long until a moment, or since it, for people.
package enum RelativeTime {
    /// `in 4:31` below one hour (minutes and seconds, rounded up), then `in 2 h`, `in 3 d` (rounded down); `expired`
    /// from the moment itself on.
    package static func until(_ date: Date, from now: Date) -> String {
        let seconds = clamp(date.timeIntervalSince(now).rounded(.up))
        switch seconds {
        case ...0: return "expired"
        case ..<3600: return "in \(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        default: return "in " + large(seconds)
        }
    }

    /// `4:31 ago` below one hour (minutes and seconds, rounded down), then `2 h ago`, `3 d ago`.
    package static func since(_ date: Date, to now: Date) -> String {
        let seconds = max(0, clamp(now.timeIntervalSince(date).rounded(.down)))
        guard seconds >= 3600 else {
            return "\(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60) ago"
        }
        return large(seconds) + " ago"
    }

    private static func large(_ seconds: Int) -> String {
        seconds < 48 * 3600 ? "\(seconds / 3600) h" : "\(seconds / 86400) d"
    }

    /// Clamps times that are too far away, or not a number, to the range of `Int`.
    private static func clamp(_ seconds: TimeInterval) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds, -3.2e10), 3.2e10))
    }
}
