package import ApprovalModel
package import Approvals
package import Basics
package import FoundationEssentials

/// Goes through the requests that wait, the first to expire first: the whole card of each, then approve or deny. A `DecisionDialogue`
/// follows, for which the card was shown.
///
/// Requests that come meanwhile take their place, and each is shown once, by its key: also when its content changes.
package struct ReviewDialogue<Key: Hashable & Sendable>: Sendable {
    package enum Next: Sendable {
        case ask(Ask, Card)
        /// Decide this one.
        case decide(Verdict, Card, Key)
        /// None is left; or why it ended before.
        case end(Failure?)
    }

    /// The result of a step.
    package enum Event: Sendable {
        case answer(Answer)
        /// The request was decided.
        case decided
        /// It was not, or the question about it failed.
        case failed(Failure)
    }

    private enum Phase {
        case begin
        case reading(Card, Key)
        case choosing(Card, Key)
        case deciding(Key)
        case over(Failure?)
    }

    private var phase = Phase.begin
    private var seen: Set<Key> = []

    package init() {}

    /// Takes the result of the last step, and returns the next one.
    ///
    /// - Parameter waiting: all requests that wait now.
    package mutating func next(_ event: Event? = nil, among waiting: [Key: Card], at now: Date) -> Next {
        switch (phase, event) {
        case (.over(let failure), _): return .end(failure)
        case (.begin, _), (.reading, .answer(.other)?), (.deciding, .decided?): return review(waiting, at: now)
        case (.reading(let card, let key), .answer(.yes)?):
            phase = .choosing(card, key)
            return .ask(.verdict, card)
        case (.choosing(let card, let key), .answer(.yes)?): return decide(.approve, card, key)
        case (.choosing(let card, let key), .answer(.other)?): return decide(.deny, card, key)
        case (.reading(_, let key), .failed(let failure)?), (.choosing(_, let key), .failed(let failure)?),
            (.deciding(let key), .failed(let failure)?):
            // A question about a request that is over was closed by itself: nobody cancelled.
            let isOver = waiting[key]?.isExpired(at: now) ?? true
            guard failure.kind == .locked || failure.kind == .cancelled && !isOver else {
                return review(waiting, at: now)
            }
            return end(failure)
        case (.reading, _), (.choosing, _), (.deciding, _): return end(.cancelled)
        }
    }

    private mutating func review(_ waiting: [Key: Card], at now: Date) -> Next {
        let rest = waiting.filter { !seen.contains($0.key) && $0.value.isWaiting(at: now) }
        guard let (key, card) = rest.min(by: { $0.value.expires(before: $1.value) }) else { return end(nil) }
        let place = Place(seen.count + 1, of: seen.count + rest.count)
        seen.insert(key)
        phase = .reading(card, key)
        return .ask(.review(place), card)
    }

    private mutating func decide(_ verdict: Verdict, _ card: Card, _ key: Key) -> Next {
        phase = .deciding(key)
        return .decide(verdict, card, key)
    }

    private mutating func end(_ failure: Failure?) -> Next {
        phase = .over(failure)
        return .end(failure)
    }
}
