package import Approvals
package import ApprovalModel
import Basics
import Display
import FoundationEssentials

/// The content of the window. All texts are safe to show, and plain.
package enum Screen: Sendable, Equatable {
    case connecting
    /// No agent can be reached.
    case stopped(Trouble)
    case welcome(Welcome)
    case locked(Locked)
    case requests(Requests)
    case card(CardPage)
    case ask(AskPage)
    case history(History)
    case historyEntry(HistoryEntry)
    case signIns(SignIns)
    case session(SessionPage)
    case programs(Programs)
    case result(ResultPage)
    case banks(Banks)
    case bank(Bank)
    case addBank(AddBank)
    case asking(Asking)
    case settings(Settings)
    case changePIN(ChangePIN)

    /// Words of a failure, and the next step.
    package struct Trouble: Sendable, Equatable {
        package let message: String
        package let hint: String?

        init(_ failure: Failure) {
            message = Sentence.of(failure.message)
            hint = failure.hint.map(Sentence.of)
        }
    }

    package struct Settings: Sendable, Equatable {
        /// Nil before doctor has answered.
        package let findings: [Finding]?
        package let trouble: Trouble?
    }

    package struct ChangePIN: Sendable, Equatable {
        package let trouble: Trouble?
        package let isBusy: Bool
    }

    /// Before the first PIN.
    package struct Welcome: Sendable, Equatable {
        /// Nil before it is known.
        package let keyring: Line?
        /// The next step with a keyring that does not answer.
        package let keyringTrouble: String?
        package let canChoose: Bool
        package let isBusy: Bool
        package let trouble: Trouble?
    }

    package struct Locked: Sendable, Equatable {
        /// `3 requests wait`; nil if that is not known.
        package let waiting: String?
        /// Why it was locked, and the next step.
        package let note: String?
        package let trouble: Trouble?
        /// The loss by further wrong PINs.
        package let warning: String?
        /// The time until the next try.
        package let block: Remaining?
        /// Whether the PIN is being checked.
        package let isBusy: Bool
    }

    package struct Requests: Sendable, Equatable {
        package struct Row: Sendable, Equatable {
            package let number: Int
            package let reference: String
            /// Amount, from the fields; nil if there is none.
            package let amount: String?
            package let payee: String?
            package let title: String
            package let bank: String
            package let place: String
            package let time: Remaining?
        }

        /// Several requests of one bank, which may all be denied at once.
        package struct Crowd: Sendable, Equatable {
            package let connection: String
            /// `Deny all of Fern Bank (2)…`
            package let words: String
        }

        package let rows: [Row]
        /// Banks that cannot be reached and since when, in words.
        package let troubles: [String]
        /// Whether the banks are being asked on the person's wish.
        package let isAsking: Bool
        package let crowds: [Crowd]
    }

    /// The time left to decide: in words, and of the time that there was at first.
    package struct Remaining: Sendable, Equatable {
        package let text: String
        package let share: Double
    }

    package struct CardPage: Sendable, Equatable {
        package let number: Int
        /// Grows when the content changes: then it is read from its beginning.
        package let version: Int
        package let parts: Card.Parts
        package let time: Remaining?
        /// Words about a change while it is shown.
        package let note: String?
        package let canApprove: Bool
        /// How to approve, while nothing is asked.
        package let advice: String?
        package let question: Question?
        /// Whether the decision is on its way.
        package let isSending: Bool
        package let details: Details
    }

    /// More about a card, which is folded.
    package struct Details: Sendable, Equatable {
        package let reference: String
        package let code: String?
        /// The plaintext; nil until it was asked for.
        package let source: String?
    }

    /// One question below the card's end.
    package struct Question: Sendable, Equatable {
        package enum Input: Sendable, Equatable {
            case none
            /// `name`: the name of the entry for assistive technology.
            case text(name: String)
            case options([String])
            case pin
        }

        package let verdict: Verdict
        package let headline: String
        /// A sentence below the headline.
        package let words: String?
        /// Amount and payee, or title, once more.
        package let recap: [String]
        package let input: Input
        package let trouble: String?
        /// Whether it waits for the person to see the end of the card.
        package let isEarly: Bool
    }

    package struct ResultPage: Sendable, Equatable {
        package enum Sign: Sendable { case good, neutral, warning, bad, code, waiting }
        package let sign: Sign
        package let headline: String
        /// Amount and payee, or title.
        package let about: String
        package let words: String
        /// The code to type at the other side.
        package let code: String?
        /// The bank's words about it.
        package let bankWords: String?
        /// How many requests wait.
        package let waiting: Int
    }
}

/// Our messages are in lower case and without a full stop, as a terminal shows them; on a page they are sentences.
enum Sentence {
    static func of(_ message: String) -> String {
        let begun = message.prefix(1).uppercased() + message.dropFirst()
        return begun.hasSuffix(".") || begun.hasSuffix("?") ? begun : begun + "."
    }
}

extension Card {
    /// Amount and payee where the fields have them, else the title.
    var recap: [String] {
        let payee = fields["payee"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        guard let amount else { return [titleText] }
        return [amount] + (payee.map { [$0] } ?? [])
    }

    func remaining(at now: Date) -> Screen.Remaining? {
        guard let expiresAt, let text = timeLeft(at: now) else {
            return age(at: now).map { Screen.Remaining(text: $0, share: 0) }
        }
        let left = expiresAt.timeIntervalSince(now)
        // Without a beginning, five minutes are the whole ring.
        let whole = createdAt.map { expiresAt.timeIntervalSince($0) } ?? 300
        // Whole steps, so that a page that looks the same is the same.
        let share = whole > 0 ? min(max(left / whole, 0), 1) : 0
        return Screen.Remaining(text: text.replacing("in ", with: ""), share: (share * 60).rounded() / 60)
    }
}
