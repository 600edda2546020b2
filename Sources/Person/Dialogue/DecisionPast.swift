package import Approvals
package import Basics
import FoundationEssentials

/// Earlier decisions that make the dialogue of a new one longer.
package struct DecisionPast: Sendable, Equatable {
    /// Whether the same title and amount was approved within ten minutes. Approving it again may be a habit, but a
    /// person who types the amount has read it.
    package var isRepetition: Bool
    /// How many approvals of exactly this content the bank refused.
    package var refusals: Int

    package init(isRepetition: Bool = false, refusals: Int = 0) {
        self.isRepetition = isRepetition
        self.refusals = refusals
    }

    /// Reads it from the log.
    ///
    /// - Parameters:
    ///   - lately: the decisions of the last ten minutes, or more; `fatigue` learns their approvals.
    ///   - there: the decisions of the card's connection.
    package init(
        of card: Card, lately: [HistoryPayload.Entry], there: [HistoryPayload.Entry], _ fatigue: inout FatigueGuard,
        by clock: Clock
    ) {
        fatigue.learn(from: lately, by: clock)
        isRepetition = fatigue.isRepetition(card.request, at: clock.moment())
        refusals = there.refusals(of: card.fingerprint)
    }
}

extension HistoryRequest {
    /// The decisions of the last ten minutes, in which an approval of the same is noticed.
    package static func lately(by clock: Clock) -> HistoryRequest {
        let window = Double(FatigueGuard.repetitionWindow.components.seconds)
        return HistoryRequest(connection: nil, since: Timestamp(clock.now() - window), limit: nil, isVerified: false)
    }

    /// All decisions of the card's connection.
    package static func there(_ card: Card) -> HistoryRequest {
        HistoryRequest(connection: card.connection.text, since: nil, limit: nil, isVerified: false)
    }
}
