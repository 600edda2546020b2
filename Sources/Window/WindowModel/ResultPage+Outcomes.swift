import Approvals
import ApprovalModel
import Basics
import Display
import FoundationEssentials

// The ends of a request, in words.

extension Screen.ResultPage {
    init(_ decision: DecisionPayload, on card: Card, waiting: Int) {
        let bank = card.parts.bank
        let time = LocalTime.text(decision.at.date)
        let failure = decision.error.map { Sentence.of($0.message) + ($0.hint.map { " " + Sentence.of($0) } ?? "") }
        let (sign, headline, words): (Sign, String, String) =
            switch decision.outcome {
            case .confirmed where decision.decision == .deny:
                (
                    .bad, "Confirmed, though you denied it",
                    failure ?? "\(bank) says that it was confirmed. Call the bank."
                )
            case .confirmed: (.good, "Confirmed", "Confirmed by the bank at \(time).")
            case .denied where decision.basis == nil:
                (.neutral, "Denied", "Nothing was sent: the other side is not told, and its request ends by itself.")
            case .denied: (.neutral, "Denied", "Denied at the bank at \(time).")
            case .processing:
                (.neutral, "Sent", "The bank is still working on it. The history tells the outcome later.")
            case .refused: (.bad, "Refused", failure ?? "The bank refused it.")
            case .expired: (.warning, "Expired", failure ?? "It expired before it was decided.")
            case .unsent: (.warning, "Not sent", failure ?? "Nothing reached the bank. You may decide it again.")
            case .unknown:
                (.warning, "Not known yet", failure ?? "No answer came. The next look at the bank tells the outcome.")
            }
        let warning = decision.warning.map { " " + Sentence.of($0) } ?? ""
        self.init(
            sign: sign, headline: headline, about: card.recap.joined(separator: " · "), words: words + warning,
            code: decision.code, waiting: waiting)
    }

    /// The bank no longer lists it, or it went on in another way.
    static func gone(_ card: Card, waiting: Int) -> Self {
        Self(
            sign: .warning, headline: "Withdrawn", about: card.recap.joined(separator: " · "),
            words: card.isPending
                ? "The bank took it back, or it was decided elsewhere."
                : "At the bank it is now: \(card.status.line).", code: nil, waiting: waiting
        )
    }

    static func expired(_ card: Card, waiting: Int) -> Self {
        Self(
            sign: .warning, headline: "Expired", about: card.recap.joined(separator: " · "),
            words: "Its time is over.", code: nil, waiting: waiting)
    }
}
