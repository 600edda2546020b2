package import Approvals
package import Basics
package import ApprovalModel

/// The decisions of one key or command, each by its own `DecisionDialogue`: one approval, one denial, or the denials of all that wait at
/// one connection, after one question.
///
/// For a request that somebody else began ("not me") it asks about all only if too many wait, and offers to end the connection after.
package struct DecisionSeries: Sendable {
    package enum Next: Sendable {
        case ask(Ask)
        case decide(Decision)
        /// End this connection.
        case revoke(ConnectionName)
        case end(End)
    }

    /// One decision to make now.
    package struct Decision: Sendable {
        package let verdict: Verdict
        package let card: Card
        /// Nil for the reason that the command names.
        package var reason: DenialReason?
        /// Whether the person said yes for all.
        package var isAgreed = false
        /// Whether the card need not be shown again.
        package let isShown: Bool

        package init(_ verdict: Verdict, on card: Card, reason: DenialReason? = nil, isShown: Bool = false) {
            self.verdict = verdict
            self.card = card
            self.reason = reason
            self.isShown = isShown
        }
    }

    /// How it ended, with the first failure.
    package enum End: Sendable, Equatable {
        case done(Failure?)
        /// Nothing was decided.
        case stopped(Failure)
        /// The front end locks, because somebody else is at work.
        case lock(Failure?)

        package var failure: Failure? {
            switch self {
            case .done(let failure), .lock(let failure): failure
            case .stopped(let failure): failure
            }
        }

        /// Whether no other request may be decided after it: a locked vault can decide none.
        package var isLast: Bool { if case .lock = self { true } else { failure?.kind == .locked } }
    }

    /// The result of a step.
    package enum Event: Sendable, Equatable {
        case answer(Answer)
        /// The question could not be asked.
        case unasked(Failure)
        /// The decision was sent, or failed.
        case decided(Failure?)
        /// The connection was ended, or could not be.
        case revoked
    }

    private enum Phase {
        case begin, askedForAll, deciding, askedToDisconnect, revoking
        case over(End)
    }

    package let verdict: Verdict
    private let foreign: Card?
    private let crowd: Crowd
    private let asksForAll: Bool
    /// The reference of the card that the person sees already.
    private let seen: String?
    private var phase = Phase.begin
    private var rest: [Card]
    private var isAgreed = false
    private var isBegun = false
    private var failure: Failure?

    /// One request. `isShown`: the person sees its whole card.
    package init(_ verdict: Verdict, on card: Card, isShown: Bool) {
        self.verdict = verdict
        foreign = nil
        crowd = Crowd([card])
        asksForAll = false
        seen = isShown ? card.reference : nil
        rest = [card]
    }

    /// Denies all that wait at one connection. A script has agreed by its command.
    package init(denyingAll cards: [Card], before audience: Audience) {
        verdict = .deny
        foreign = nil
        crowd = Crowd(cards)
        asksForAll = !cards.isEmpty && audience != .nobody
        seen = nil
        rest = cards
        isAgreed = audience == .nobody
    }

    /// Denies a request that somebody else began, among all that wait. `isShown`: the person sees its whole card.
    package init(notMine card: Card, among others: [Card], isShown: Bool) {
        verdict = .deny
        foreign = card
        let beside = others.filter(card.isBeside)
        crowd = Crowd([card] + beside.filter { $0.reference != card.reference })
        asksForAll = beside.count >= Card.tooManyAtOnce
        seen = isShown ? card.reference : nil
        rest = [card]
    }

    /// Whether somebody else began the request.
    package var isForeign: Bool { foreign != nil }

    /// Takes the result of the last step, and returns the next one. `isInterrupted`: whether a signal ends the command.
    package mutating func next(_ event: Event? = nil, isInterrupted: Bool = false) -> Next {
        switch phase {
        case .begin:
            guard asksForAll else { return decide(isInterrupted) }
            phase = .askedForAll
            return .ask(.denyAll(crowd))
        case .askedForAll:
            isAgreed = event == .answer(.yes)
            if isAgreed { rest = crowd.cards }
            // No answer means no: then only the foreign one is denied.
            if isAgreed || foreign != nil { return decide(isInterrupted) }
            let cause: Failure = if case .unasked(let failure)? = event { failure } else { .cancelled }
            return end(.stopped(cause))
        case .deciding:
            let result: Failure? = if case .decided(let failure)? = event { failure } else { .cancelled }
            let isFirst = !isBegun
            isBegun = true
            if foreign != nil, isFirst, let result, result.kind == .cancelled { return end(.stopped(result)) }
            // Somebody else began them all, and the first counts: the others are denied on the way.
            if foreign == nil || isFirst { failure = failure ?? result }
            return decide(isInterrupted)
        case .askedToDisconnect:
            guard event == .answer(.yes), let foreign else { return end(.lock(failure)) }
            phase = .revoking
            return .revoke(foreign.connection)
        case .revoking: return end(.lock(failure))
        case .over(let end): return .end(end)
        }
    }

    private mutating func decide(_ isInterrupted: Bool) -> Next {
        guard !rest.isEmpty else {
            guard let foreign else { return end(.done(failure)) }
            phase = .askedToDisconnect
            return .ask(.yesNo(.disconnect(foreign.connection)))
        }
        if isInterrupted, foreign == nil { return end(.done(failure ?? .cancelled)) }
        phase = .deciding
        let card = rest.removeFirst()
        // A PIN is never asked for a card that was not shown whole.
        let isShown = isAgreed && !card.denialNeedsPIN || card.reference == seen
        var decision = Decision(verdict, on: card, reason: foreign == nil ? nil : .notMe, isShown: isShown)
        decision.isAgreed = isAgreed
        return .decide(decision)
    }

    private mutating func end(_ end: End) -> Next {
        phase = .over(end)
        return .end(end)
    }
}
