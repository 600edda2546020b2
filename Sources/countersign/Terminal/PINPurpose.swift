import Authenticator
import Basics
import Display
import Pinentry

/// What a PIN is asked for, in the words of each place where it can be asked.
enum PINPurpose {
    case unlock, change, choose, replace, again
    /// The agent, for a command that is not `unlock`.
    case agent
    case approve(Card), deny(Card)

    /// Stands before the dots on a terminal.
    var prompt: String {
        switch self {
        case .unlock, .agent, .change: "PIN: "
        case .choose: "Choose a PIN (\(Failure.pinForm)): "
        case .replace: "New PIN (\(Failure.pinForm)): "
        case .again: "Again: "
        case .approve: "PIN to approve (empty cancels): "
        case .deny: "PIN to deny (empty cancels): "
        }
    }

    /// What a command fails with when there is nobody to ask.
    var unasked: Failure {
        if case .agent = self { .needsUnlock } else { .needsPIN }
    }

    /// What a pinentry shows, which may stand far from the terminal or script that asks.
    var question: PinentryQuestion {
        switch self {
        case .unlock, .agent: .unlock(Self.asker)
        case .change: PinentryQuestion("Enter your PIN to change it", details: [Self.asker])
        case .choose, .replace:
            PinentryQuestion(
                "Choose a new PIN",
                details: [DisplayText("6 to 16 digits, or a passphrase of 8 or more characters"), Self.asker],
                prompt: "New PIN:")
        case .again: PinentryQuestion("Enter the new PIN again", prompt: "New PIN:")
        case .approve(let card): .approve(card, Self.asker)
        case .deny(let card): .denyByPIN(card, Self.asker)
        }
    }

    /// The command and what started it.
    static var asker: DisplayText { Requester.current().words }
}
