package import Approvals
package import Basics
import Display

/// How a review in the agent's own windows, or a decision by a notification's button, ended.
package enum ReviewOutcome: Sendable {
    /// A decision was made, with this outcome.
    case decided(DecisionPayload)
    /// Nothing was decided, for this reason.
    case failed(Failure)
    /// The bank no longer lists it, so its window closed by itself.
    case withdrawn
    /// Its time ran out, so its window closed by itself.
    case expired
}

extension ReviewOutcome {
    func note(of card: Card?) -> NoteOutcome {
        var note: NoteOutcome
        switch self {
        case .decided(let decision):
            note = NoteOutcome(
                headline: decision.headline,
                content: NoteOutcome.words([decision.error?.message, decision.error?.hint, decision.warning]))
            note.isGood = decision.error == nil && decision.warning == nil
        case .failed(let failure): note = .failed(failure)
        case .withdrawn: note = Self.closed("The bank withdrew the request")
        case .expired: note = Self.closed("The request expired")
        }
        if let card { note.content += [card.title, card.bank, card.host, DisplayText(card.reference)] }
        return note
    }

    private static func closed(_ headline: String) -> NoteOutcome {
        NoteOutcome(headline: headline, content: NoteOutcome.words(["its window was closed; nothing was sent"]))
    }
}

extension DecisionPayload {
    fileprivate var headline: String {
        let verb = decision == .approve ? "approved" : "denied"
        if let error, basis == nil, error.kind != .unknown { return "Not \(verb)" }
        return switch outcome {
        case .confirmed: "Approved, confirmed by the bank"
        case .denied: "Denied"
        case .processing: "Sent, the bank is still working on it"
        case .refused: "Not \(verb), the bank refused"
        case .unsent: "Not \(verb)"
        case .expired: "Not \(verb), it expired at the bank"
        case .unknown: "Unknown whether it was \(verb)"
        }
    }
}
