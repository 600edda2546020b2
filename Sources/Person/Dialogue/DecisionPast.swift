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

    /// The entries of the log that it is read from.
    package struct Entries: Sendable {
        /// The decisions of the last ten minutes, or more.
        package var lately: [HistoryPayload.Entry]
        /// The decisions of the card's connection.
        package var there: [HistoryPayload.Entry]

        package init(lately: [HistoryPayload.Entry], there: [HistoryPayload.Entry]) {
            self.lately = lately
            self.there = there
        }
    }

    /// Reads it from the log. `fatigue` learns the approvals in it.
    package init(of card: Card, _ entries: Entries, _ fatigue: inout FatigueGuard, by clock: Clock) {
        fatigue.learn(from: entries.lately, by: clock)
        isRepetition = fatigue.isRepetition(card.request, at: clock.moment())
        refusals = entries.there.refusals(of: card.fingerprint)
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
