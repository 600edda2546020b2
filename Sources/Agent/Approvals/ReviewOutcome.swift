public import Authenticator
public import Basics
import Display

/// How a review in the agent's own windows, or a decision by a notification's button, ended.
public enum ReviewOutcome: Sendable {
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
    /// One line of our own words, without anything that a bank sent.
    var headline: String {
        switch self {
        case .decided(let decision): decision.headline
        case .failed: "Countersign could not do that"
        case .withdrawn: "The bank withdrew the request"
        case .expired: "The request expired"
        }
    }

    /// The reason and the next step. Safe to show, but may hold a bank's words, so not while locked.
    var reasons: [DisplayText] {
        let texts: [String?] =
            switch self {
            case .decided(let decision):
                [decision.error?.message, decision.error?.hint, decision.warning]
            case .failed(let failure): [failure.message, failure.hint]
            case .withdrawn, .expired: ["its window was closed; nothing was sent"]
            }
        return texts.compactMap { $0 }.map { DisplayText(shown: $0) ?? DisplayText($0) }
    }

    /// Whether it ended well, so that the note need not stay.
    var isGood: Bool {
        if case .decided(let decision) = self {
            decision.error == nil && decision.warning == nil
        } else {
            false
        }
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
