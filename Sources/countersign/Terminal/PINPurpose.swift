import Approvals
import Basics
import Dialogue
import Display
import Pinentry
import ApprovalModel

/// The purpose of a PIN, in the words for each place that can ask for it.
enum PINPurpose {
    case unlock, change, choose, replace, again
    /// The PIN opens the agent, for a command other than `unlock`.
    case agent
    /// To decide, with the option that was chosen if the request has options.
    case decision(Verdict, Card, choosing: String?)
    case grant(Granting)

    /// The prompt on a terminal.
    var prompt: String {
        switch self {
        case .unlock, .agent, .change: "PIN: "
        case .choose: "Choose a PIN (\(Failure.pinForm)): "
        case .replace: "New PIN (\(Failure.pinForm)): "
        case .again: "Again: "
        case .decision(.approve, _, _): "PIN to approve (empty cancels): "
        case .decision(.deny, _, _): "PIN to deny (empty cancels): "
        case .grant(let act): "\(act.words.prompt) (empty cancels): "
        }
    }

    /// Whether the PIN opens vault or agent, and says yes to nothing.
    var isOpening: Bool {
        switch self {
        case .unlock, .agent: true
        case .change, .choose, .replace, .again, .decision, .grant: false
        }
    }

    /// The command's failure if nobody can be asked.
    var unasked: Failure {
        if case .agent = self { .needsUnlock } else { .needsPIN }
    }

    /// The question in a pinentry, whose window may be far from the terminal or script that asks.
    var question: PinentryQuestion {
        switch self {
        case .unlock, .agent: .unlock(Question.unlockWords, Self.asker)
        case .change: PinentryQuestion("Enter your PIN to change it", details: [Self.asker])
        case .choose, .replace:
            PinentryQuestion(
                "Choose a new PIN",
                details: [DisplayText("6 to 16 digits, or a passphrase of 8 or more characters"), Self.asker],
                prompt: .newPIN)
        case .again: PinentryQuestion("Enter the new PIN again", prompt: .newPIN)
        case .decision(let verdict, let card, let option): .pin(to: verdict, card, choosing: option, Self.asker)
        case .grant(let act): PinentryQuestion(act, Self.asker)
        }
    }

    /// The command and the program that started it.
    static var asker: DisplayText { Requester.current().words }
}
