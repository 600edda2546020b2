package import Approvals
package import Basics
package import FoundationEssentials

/// A question about one request, which ends without an answer when none is needed any more: the request has expired, its bank has
/// withdrawn it or changed its content, or the vault was locked. An answer that comes in the same moment does not count.
package struct OpenQuestion: Sendable {
    package let card: Card
    /// Changes if the connection is renamed.
    package private(set) var reference: String
    /// Whether the request was on its bank's list: then an event reports its end. If not, the bank must be asked for it.
    package private(set) var isListed: Bool
    /// Why it ended; nil while it is open.
    package private(set) var ending: Failure?

    package init(about card: Card, isListed: Bool = false) {
        self.card = card
        self.isListed = isListed
        reference = card.reference
    }

    package mutating func take(_ event: Event, at now: Date) {
        switch event.kind {
        case .added(let other) where isSame(other): isListed = true
        case .added(let other), .changed(let other):
            if !isSame(other), other.reference == reference { end(.changed, at: now) }
        case .removed(let other, let new):
            guard isSame(other) else { return }
            if let new { reference = new } else { end(.gone, at: now) }
        // Only a locked agent sends how many wait: it was locked before the first events came.
        case .locked, .waiting: end(.agentLocked, at: now)
        case .decided, .failure, .recovered, .heard, .unlocked: break
        }
    }

    /// Takes the bank's answer about this request alone.
    package mutating func take(_ served: Result<Card, any Error>, at now: Date) {
        switch served {
        case .success(let card): if !card.isPending { end(.gone, at: now) }
        case .failure(let error): if Failure(error).kind == .notFound { end(.gone, at: now) }
        }
    }

    /// Ends it for this reason. If the request has expired, that is the reason.
    package mutating func end(_ failure: Failure, at now: Date) {
        guard ending == nil else { return }
        ending = (card.isExpired(at: now) ? .expired : failure).naming(reference: reference)
    }

    /// Returns why it ended, once.
    package mutating func takeEnding() -> Failure? {
        defer { ending = nil }
        return ending
    }

    private func isSame(_ other: Card) -> Bool { other.fingerprint == card.fingerprint }
}
