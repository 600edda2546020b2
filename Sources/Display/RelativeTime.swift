public import FoundationEssentials

/// Times as a person on a terminal wants them.
public enum RelativeTime {
    /// `in 4:31` below one hour (minutes and seconds, rounded up), then `in 2 h`, `in 3 d` (rounded down); `expired` at
    /// the moment itself and after it.
    public static func until(_ date: Date, from now: Date) -> String {
        let seconds = clamp(date.timeIntervalSince(now).rounded(.up))
        switch seconds {
        case ...0: return "expired"
        case ..<3600: return "in \(seconds / 60):" + (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        default: return "in " + large(seconds)
        }
    }

    private static func large(_ seconds: Int) -> String {
        seconds < 48 * 3600 ? "\(seconds / 3600) h" : "\(seconds / 86400) d"
    }

    /// A thousand years and "not a number" are all the same to a person.
    private static func clamp(_ seconds: TimeInterval) -> Int {
        seconds.isNaN ? 0 : Int(min(max(seconds, -3.2e10), 3.2e10))
    }
}
