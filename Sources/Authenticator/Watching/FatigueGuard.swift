public import Basics

/// Guards a person who is asked too often from saying yes out of habit. It knows no clock; times are moments of a clock
/// that nobody can set.
///
/// Only keyed digests are remembered, no words of a bank, so it may outlive a lock.
public struct FatigueGuard: Sendable {
    public typealias Moment = ContinuousClock.Instant

    /// What is known of one request: enough to tell whether two are alike.
    public struct Request: Sendable {
        public var fingerprint: Fingerprint
        public var title: String
        public var amount: String?
        /// What its content is made of, by kinds and names, never by values.
        public var shape: [String]

        public init(fingerprint: Fingerprint, title: String, amount: String?, shape: [String]) {
            self.fingerprint = fingerprint
            self.title = title
            self.amount = amount
            self.shape = shape
        }
    }

    static let crowdWindow = Duration.seconds(60)
    /// While so many are remembered no more are, and crowds of later ones are not seen.
    static let mostArrivals = 20_000
    /// How long an approval is remembered.
    public static let repetitionWindow = Duration.seconds(600)

    /// What like requests have in common, and no others: the same title and amount, and content of the same shape, at whatever
    /// bank.
    public struct Likeness: Sendable, Hashable {
        /// Of no use in another process.
        fileprivate let digest: Int

        public init(of request: Request) {
            var hasher = Hasher()
            hasher.combine(FatigueGuard.subject(request.title, request.amount))
            hasher.combine(request.shape)
            digest = hasher.finalize()
        }
    }

    private struct Arrival {
        var likeness: Likeness
        var at: Moment
    }

    private var arrivals: [Fingerprint: Arrival] = [:]
    /// The moments of like ones, in order.
    private var moments: [Likeness: [Moment]] = [:]
    private var lookedThrough: Moment?
    private var approvals: [Int: Moment] = [:]
    /// Of entries of the log that do not tell the amount.
    private var approvalsBeforeFields: [Int: Moment] = [:]

    public init() {}

    /// A request came, or came back after a lock: then its first arrival counts.
    public mutating func arrived(_ request: Request, at now: Moment) {
        forgetOld(at: now)
        guard arrivals[request.fingerprint] == nil, arrivals.count < Self.mostArrivals else { return }
        let likeness = Likeness(of: request)
        arrivals[request.fingerprint] = Arrival(likeness: likeness, at: now)
        moments[likeness, default: []].append(now)
    }

    /// Now and then only: a bank may list thousands, and new ones each time.
    private mutating func forgetOld(at now: Moment) {
        if let lookedThrough, lookedThrough.duration(to: now) < Self.crowdWindow { return }
        lookedThrough = now
        let age: Duration = arrivals.count < Self.mostArrivals / 2 ? .seconds(3600) : Self.crowdWindow
        arrivals = arrivals.filter { $0.value.at.duration(to: now) <= age }
        moments = moments.compactMapValues { all in
            let kept = all.filter { $0.duration(to: now) <= age }
            return kept.isEmpty ? nil : kept
        }
    }

    /// How many like requests came within a minute of this one, itself included.
    public func crowd(around request: Request) -> Int {
        guard let own = arrivals[request.fingerprint], let all = moments[own.likeness] else { return 1 }
        // There may be thousands, and each is asked about.
        let first = Self.first(in: all) { $0.duration(to: own.at) <= Self.crowdWindow }
        let end = Self.first(in: all) { own.at.duration(to: $0) > Self.crowdWindow }
        return end - first
    }

    /// The index of the first moment, in order, for which this is so, and stays so; their count when it is so for none.
    private static func first(in moments: [Moment], where isSo: (Moment) -> Bool) -> Int {
        var (low, high) = (0, moments.count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(moments[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    public mutating func approved(_ request: Request, at moment: Moment) {
        approved(title: request.title, amount: request.amount, at: moment)
    }

    /// Remembers an approval; of the same title and amount the latest counts, in whatever order they are told.
    public mutating func approved(title: String, amount: String?, at moment: Moment) {
        let subject = Self.subject(title, amount)
        approvals[subject] = max(moment, approvals[subject] ?? moment)
    }

    /// Remembers an approval whose amount is not known, because the version that wrote it into the log kept no fields. It counts
    /// as one of whatever amount: asking once too often for the ten minutes after an update is better than once too seldom.
    public mutating func approvedBeforeFields(title: String, at moment: Moment) {
        let subject = Self.subject(title, nil)
        approvalsBeforeFields[subject] = max(moment, approvalsBeforeFields[subject] ?? moment)
    }

    /// Whether the same title and amount was approved within ten minutes: then approving again takes more than a PIN.
    public func isRepetition(_ request: Request, at now: Moment) -> Bool {
        let moments = [
            approvals[Self.subject(request.title, request.amount)],
            approvalsBeforeFields[Self.subject(request.title, nil)],
        ]
        return moments.contains { $0.map { $0.duration(to: now) <= Self.repetitionWindow } ?? false }
    }

    /// Title and amount; case and the number of spaces do not matter.
    fileprivate static func subject(_ title: String, _ amount: String?) -> Int {
        var hasher = Hasher()
        hasher.combine(words(of: title))
        hasher.combine(amount.map(words))
        return hasher.finalize()
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
