import Basics
import FoundationEssentials

/// When a session is to be signed out, as a person writes it: `never`, a time such as `8h`, or a time of day such as `18:00`.
package enum SignOutRule: TextValue {
    case never
    /// This long after the rule was given, in seconds: 1 second to 3650 days.
    case after(seconds: Int64)
    /// At the next local time of day after the rule was given, in minutes since midnight.
    case at(minute: Int)

    private static let units: [(letter: Character, seconds: Int64)] = [("d", 86400), ("h", 3600), ("m", 60), ("s", 1)]
    private static let longest: Int64 = 3650 * 86400

    /// Nil if the text has none of these forms.
    package init?(_ text: String) {
        if text == "never" {
            self = .never
        } else if text.contains(":") {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
                let hour = Self.number(parts[0]), let minute = Self.number(parts[1]), hour < 24, minute < 60
            else { return nil }
            self = .at(minute: Int(hour * 60 + minute))
        } else {
            guard let unit = Self.units.first(where: { $0.letter == text.last }),
                let number = Self.number(text.dropLast()), number > 0, number <= Self.longest / unit.seconds
            else { return nil }
            self = .after(seconds: number * unit.seconds)
        }
    }

    /// In the largest unit that says it exactly.
    package var text: String {
        switch self {
        case .never: return "never"
        case .at(let minute): return "\(Self.padded(minute / 60)):\(Self.padded(minute % 60))"
        case .after(let seconds):
            let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
            return "\(seconds / unit.seconds)\(unit.letter)"
        }
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Decimal digits alone.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(text) : nil
    }
}

/// The person's rule for one session's sign-out, and the time when it was given.
package struct SignOutOrder: Sendable, Equatable, Codable {
    package var rule: SignOutRule
    package var since: Moment

    package init(_ rule: SignOutRule, since: Moment) {
        self.rule = rule
        self.since = since
    }
}

extension SignIn {
    /// Changes when the session is signed out; nil leaves it as it is. A time is counted from `now`. A session with a time is not
    /// kept, and a kept session has no time of its own.
    package mutating func order(_ rule: SignOutRule?, keep: Bool?, at now: Moment) {
        if let rule {
            signOut = rule == .never ? nil : SignOutOrder(rule, since: now)
            if rule != .never { isKept = false }
        }
        if let keep {
            isKept = keep
            if keep { signOut = nil }
        }
    }
}
