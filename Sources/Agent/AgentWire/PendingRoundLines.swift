package import Approvals
import Basics

/// A round as lines: the number of authorizations at a bank has no limit.
extension PendingRound {
    /// The type of an answer with one JSON value a line: each authorization, then the rest of the round.
    package static let lines = "application/jsonl"

    /// Everything but the authorizations: the last line.
    package struct Rest: Codable {
        fileprivate var failures: [BankFailurePayload]
        fileprivate var asked: Int
        fileprivate var failed: Int

        package init(_ round: PendingRound) {
            (failures, asked, failed) = (round.failures, round.asked, round.failed)
        }
    }
}

/// Puts a round together from the lines of an answer.
package struct PendingRoundLines: Sendable {
    private var cards: [Card] = []
    private var rest: PendingRound.Rest?
    private var isBroken = false

    package init() {}

    package mutating func take(_ line: [UInt8]) {
        if rest == nil, let card = try? JSONForm.decode(Card.self, from: line) {
            cards.append(card)
        } else if rest == nil, let end = try? JSONForm.decode(PendingRound.Rest.self, from: line) {
            rest = end
        } else {
            isBroken = true
        }
    }

    /// Nil when a line could not be read, or when the last line is missing.
    package var round: PendingRound? {
        guard !isBroken, let rest else { return nil }
        return PendingRound(authorizations: cards, failures: rest.failures, asked: rest.asked, failed: rest.failed)
    }
}
