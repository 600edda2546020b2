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
                (
                    .waiting, "Still processing",
                    "It reached the bank, which still works on it. You may close this window; the history shows the outcome later."
                )
            case .refused: (.bad, "Refused", failure ?? "The bank refused it.")
            case .expired: (.warning, "Expired", failure ?? "It expired before it was decided.")
            case .unsent: (.warning, "Not sent", failure ?? "Nothing reached the bank. You may decide it again.")
            case .unknown where decision.likely != nil:
                (.warning, "Not known for sure", Sentence.of(decision.likely?.likelihood ?? "") + " Ask the bank.")
            case .unknown:
                (.warning, "Not known yet", failure ?? "No answer came. The next look at the bank tells the outcome.")
            }
        let warning = decision.warning.map { " " + Sentence.of($0) } ?? ""
        let about = card.recap.joined(separator: " · ")
        guard let code = decision.code else {
            self.init(
                sign: sign, headline: headline, about: about, words: words + warning, code: nil, bankWords: nil,
                waiting: waiting)
            return
        }
        self.init(
            sign: .code, headline: "Type this code", about: about,
            words: "The other side asks for it. It is shown only once." + warning, code: code,
            bankWords: decision.codeMessage, waiting: waiting)
    }

    /// The denials of all that waited at a bank.
    static func denied(_ denied: Int, of count: Int, _ failure: Failure?, waiting: Int) -> Self {
        let words = failure.map { Sentence.of($0.message) + ($0.hint.map { " " + Sentence.of($0) } ?? "") }
        return Self(
            sign: failure == nil ? .neutral : .warning, headline: failure == nil ? "All denied" : "Not all denied",
            about: "\(denied) of \(count) requests", words: words ?? "Each is denied.", code: nil,
            bankWords: nil, waiting: waiting)
    }

    /// The bank no longer lists it, or it went on in another way.
    static func gone(_ card: Card, waiting: Int) -> Self {
        Self(
            sign: .warning, headline: "Withdrawn", about: card.recap.joined(separator: " · "),
            words: card.isPending
                ? "The bank took it back, or it was decided elsewhere."
                : "At the bank it is now: \(card.status.line).", code: nil, bankWords: nil,
            waiting: waiting
        )
    }

    static func expired(_ card: Card, waiting: Int) -> Self {
        Self(
            sign: .warning, headline: "Expired", about: card.recap.joined(separator: " · "),
            words: "Its time is over.", code: nil, bankWords: nil, waiting: waiting)
    }
}
