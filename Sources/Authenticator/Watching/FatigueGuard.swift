public import SCA

/// Guards a person who is asked too often from saying yes out of habit. It knows no clock; times are moments of a clock
/// that nobody can set.
///
/// Only keyed digests are remembered, no words of a bank, so it may outlive a lock.
public struct FatigueGuard: Sendable {
    public typealias Moment = ContinuousClock.Instant

    static let crowdWindow = Duration.seconds(60)
    static let repetitionWindow = Duration.seconds(600)

    private struct Arrival {
        var likeness: Int
        var at: Moment
    }

    private var arrivals: [Fingerprint: Arrival] = [:]
    private var approvals: [Int: Moment] = [:]

    public init() {}

    /// A request came, or came back after a lock: then its first arrival counts.
    public mutating func arrived(_ authorization: Authorization, at now: Moment) {
        arrivals = arrivals.filter { $0.value.at.duration(to: now) <= .seconds(3600) }
        guard arrivals[authorization.fingerprint] == nil else { return }
        arrivals[authorization.fingerprint] = Arrival(likeness: Self.likeness(of: authorization), at: now)
    }

    /// How many like requests came within a minute of this one, itself included. Alike are those with the same title and
    /// amount whose content has the same shape, at whatever bank.
    public func crowd(around authorization: Authorization) -> Int {
        guard let own = arrivals[authorization.fingerprint] else { return 1 }
        return arrivals.values.count(where: { other in
            let distance = other.at.duration(to: own.at)
            return other.likeness == own.likeness && distance <= Self.crowdWindow
                && distance >= .zero - Self.crowdWindow
        })
    }

    /// Whether two requests stand in one crowd.
    public func areAlike(_ one: Authorization, _ other: Authorization) -> Bool {
        Self.likeness(of: one) == Self.likeness(of: other)
    }

    public mutating func approved(_ authorization: Authorization, at now: Moment) {
        approvals[Self.subject(of: authorization)] = now
    }

    /// Whether the same title and amount was approved within ten minutes: then approving again takes more than a PIN.
    public func isRepetition(_ authorization: Authorization, at now: Moment) -> Bool {
        approvals[Self.subject(of: authorization)].map { $0.duration(to: now) <= Self.repetitionWindow } ?? false
    }

    private static func likeness(of authorization: Authorization) -> Int {
        var hasher = Hasher()
        hasher.combine(subject(of: authorization))
        for part in authorization.content.parts {
            switch part {
            case .text: hasher.combine("text")
            case .html: hasher.combine("html")
            case .payment(let members), .extra(let members): hasher.combine(members.map(\.key))
            }
        }
        return hasher.finalize()
    }

    /// Title and amount; case and the number of spaces do not matter.
    private static func subject(of authorization: Authorization) -> Int {
        var hasher = Hasher()
        hasher.combine(words(of: authorization.title))
        for case .payment(let members) in authorization.content.parts {
            for member in members where member.key == "amount" { hasher.combine(words(of: member.value)) }
        }
        return hasher.finalize()
    }

    private static func words(of text: BankText) -> [String] {
        text.untrusted.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
