package import Approvals
package import Basics
package import ApprovalModel

/// Denies all that wait at one connection: one question for all, then each by its own `DecisionDialogue`.
///
/// For a request that somebody else began ("not me") it asks about all only if too many wait, and offers to end the connection after.
package struct DenialDialogue: Sendable {
    package enum Next: Sendable {
        case ask(Ask)
        /// Deny this one. `isAgreed`: the person said yes for all. `isShown`: its card need not be shown again.
        case deny(Card, isAgreed: Bool, isShown: Bool)
        /// End this connection.
        case revoke(ConnectionName)
        case end(End)
    }

    /// How it ended, with the first failure.
    package enum End: Sendable, Equatable {
        case done(Failure?)
        /// Nothing was decided.
        case cancelled
        /// The front end locks, because somebody else is at work.
        case lock(Failure?)
    }

    /// The result of a step.
    package enum Event: Sendable, Equatable {
        case answer(Answer)
        /// A denial was sent, or failed.
        case denied(Failure?)
        /// The connection was ended, or could not be.
        case revoked
    }

    private enum Phase {
        case begin, askedForAll, denying, askedToDisconnect, revoking
        case over(End)
    }

    private let foreign: Card?
    private let crowd: Crowd
    private let asksForAll: Bool
    /// Whether the person sees the card of the foreign request.
    private let isSeen: Bool
    private var phase = Phase.begin
    private var rest: [Card]
    private var isAgreed: Bool
    private var isBegun = false
    private var failure: Failure?

    /// All that wait at one connection. A script has agreed by its command.
    package init(all cards: [Card], before audience: Audience) {
        foreign = nil
        isSeen = false
        crowd = Crowd(cards)
        asksForAll = !cards.isEmpty && audience != .nobody
        rest = cards
        isAgreed = audience == .nobody
    }

    /// A request that somebody else began, among all that wait. `isShown`: the person sees its whole card.
    package init(notMine card: Card, among others: [Card], isShown: Bool) {
        foreign = card
        isSeen = isShown
        let beside = others.filter(card.isBeside)
        crowd = Crowd([card] + beside.filter { $0.reference != card.reference })
        asksForAll = beside.count >= Card.tooManyAtOnce
        rest = [card]
        isAgreed = false
    }

    /// Takes the result of the last step, and returns the next one.
    package mutating func next(_ event: Event? = nil) -> Next {
        switch phase {
        case .begin:
            guard asksForAll else { return deny() }
            phase = .askedForAll
            return .ask(.denyAll(crowd))
        case .askedForAll:
            isAgreed = event == .answer(.yes)
            if isAgreed { rest = crowd.cards }
            // No answer means no: then only the foreign one is denied.
            return isAgreed || foreign != nil ? deny() : end(.cancelled)
        case .denying:
            let result: Failure? = if case .denied(let failure)? = event { failure } else { .cancelled }
            let isFirst = !isBegun
            isBegun = true
            if foreign != nil, isFirst, result?.kind == .cancelled { return end(.cancelled) }
            // Somebody else began them all, and the first counts: the others are denied on the way.
            if foreign == nil || isFirst { failure = failure ?? result }
            return deny()
        case .askedToDisconnect:
            guard event == .answer(.yes), let foreign else { return end(.lock(failure)) }
            phase = .revoking
            return .revoke(foreign.connection)
        case .revoking: return end(.lock(failure))
        case .over(let end): return .end(end)
        }
    }

    private mutating func deny() -> Next {
        guard !rest.isEmpty else {
            guard let foreign else { return end(.done(failure)) }
            phase = .askedToDisconnect
            return .ask(.yesNo(.disconnect(foreign.connection)))
        }
        phase = .denying
        let card = rest.removeFirst()
        // A PIN is never asked for a card that was not shown whole.
        let isShown = isAgreed && !card.denialNeedsPIN || isSeen && card.reference == foreign?.reference
        return .deny(card, isAgreed: isAgreed, isShown: isShown)
    }

    private mutating func end(_ end: End) -> Next {
        phase = .over(end)
        return .end(end)
    }
}
