package import Basics

/// Protects a person who is asked too often from approving out of habit. It knows no clock; times are moments of a
/// clock that nobody can set.
///
/// It remembers only keyed digests, no words of a bank, so it may survive a lock.
package struct FatigueGuard: Sendable {
    package typealias Moment = ContinuousClock.Instant

    /// The parts of a request that decide whether two are alike.
    package struct Request: Sendable {
        package var fingerprint: Fingerprint
        package var title: String
        package var amount: String?
        /// The kinds and names of the parts of its content, without values.
        package var shape: [String]

        package init(fingerprint: Fingerprint, title: String, amount: String?, shape: [String]) {
            self.fingerprint = fingerprint
            self.title = title
            self.amount = amount
            self.shape = shape
        }
    }

    static let crowdWindow = Duration.seconds(60)
    /// The most arrivals that are remembered. Beyond that, crowds are not noticed.
    static let mostArrivals = 20_000
    /// How long an approval is remembered.
    package static let repetitionWindow = Duration.seconds(600)

    /// Equal for requests that are alike: the same title and amount, and content of the same shape, at any bank.
    package struct Likeness: Sendable, Hashable {
        /// Valid only in this process.
        fileprivate let digest: Int

        package init(of request: Request) {
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
    /// The arrivals of alike requests, in order.
    private var moments: [Likeness: [Moment]] = [:]
    private var lookedThrough: Moment?
    private var approvals: [Int: Moment] = [:]
    /// Approvals from log entries without an amount.
    private var approvalsBeforeFields: [Int: Moment] = [:]

    package init() {}

    /// A request arrived. If it only came back after a lock, its first arrival counts.
    package mutating func arrived(_ request: Request, at now: Moment) {
        forgetOld(at: now)
        guard arrivals[request.fingerprint] == nil, arrivals.count < Self.mostArrivals else { return }
        let likeness = Likeness(of: request)
        arrivals[request.fingerprint] = Arrival(likeness: likeness, at: now)
        moments[likeness, default: []].append(now)
    }

    /// Drops old entries, at most once a minute: a bank may list thousands of requests, and new ones each time.
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

    /// How many alike requests arrived within a minute of this one, counting itself.
    package func crowd(around request: Request) -> Int {
        guard let own = arrivals[request.fingerprint], let all = moments[own.likeness] else { return 1 }
        // A binary search, because there may be thousands, and this is called for each of them.
        let first = Self.first(in: all) { $0.duration(to: own.at) <= Self.crowdWindow }
        let end = Self.first(in: all) { own.at.duration(to: $0) > Self.crowdWindow }
        return end - first
    }

    /// The index of the first moment that satisfies `isSo`; the count if none does. All moments after the first must
    /// satisfy it too.
    private static func first(in moments: [Moment], where isSo: (Moment) -> Bool) -> Int {
        var (low, high) = (0, moments.count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(moments[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    package mutating func approved(_ request: Request, at moment: Moment) {
        approved(title: request.title, amount: request.amount, at: moment)
    }

    /// Remembers an approval. For the same title and amount the latest one counts, regardless of the order of the
    /// calls.
    package mutating func approved(title: String, amount: String?, at moment: Moment) {
        let subject = Self.subject(title, amount)
        approvals[subject] = max(moment, approvals[subject] ?? moment)
    }

    /// Remembers an approval of unknown amount, from a version whose log kept no fields. It matches any amount: in the
    /// ten minutes after an update, asking once too often is better than once too seldom.
    package mutating func approvedBeforeFields(title: String, at moment: Moment) {
        let subject = Self.subject(title, nil)
        approvalsBeforeFields[subject] = max(moment, approvalsBeforeFields[subject] ?? moment)
    }

    /// Whether the same title and amount was approved within ten minutes; approving it again then takes more than a
    /// PIN.
    package func isRepetition(_ request: Request, at now: Moment) -> Bool {
        let moments = [
            approvals[Self.subject(request.title, request.amount)],
            approvalsBeforeFields[Self.subject(request.title, nil)],
        ]
        return moments.contains { $0.map { $0.duration(to: now) <= Self.repetitionWindow } ?? false }
    }

    /// A digest of title and amount; case and the number of spaces do not matter.
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
