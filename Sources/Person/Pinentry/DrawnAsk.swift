package import ApprovalModel
package import Approvals
package import Basics
package import Dialogue
package import Display
package import FoundationEssentials

/// A question of a dialogue as a pinentry draws it.
package enum DrawnAsk: Sendable {
    case pages(PinentryPages)
    case yesNo(PinentryQuestion)
    /// With a third button.
    case choice(PinentryQuestion)
    /// With a text to type.
    case text(PinentryQuestion)
}

extension Ask {
    /// The question about this card; nil for the PIN, and for a question that is about no card.
    package func drawn(on card: Card, to verdict: Verdict, _ asker: DisplayText, at now: Date) -> DrawnAsk? {
        switch self {
        case .card:
            .pages(PinentryPages(PinentryQuestion.pages(of: card, to: verdict, asker, at: now), onward: "To the PIN"))
        case .review(let place):
            .pages(
                PinentryPages(
                    PinentryQuestion.pages(of: card, at: place, asker, at: now), onward: "Decide", skip: "Skip"))
        case .distinction: .text(.approveAgain(card, asker))
        case .title: .text(.title(card, asker))
        case .option(let options, let isAgain): .text(.choose(card, options, asker, isAgain: isAgain))
        case .caution(let caution): .yesNo(.approveInspite(of: caution, card, asker))
        case .anotherChoice: .yesNo(.approveAfterRefusal(card, asker))
        case .agreement: .yesNo(.agree(to: verdict, card, asker))
        case .verdict: .choice(.decide(card, asker))
        case .pin, .grant, .code, .connection, .link, .denyAll, .yesNo, .notice: nil
        }
    }

    /// The question about no request of a bank; nil for any other. Throws `SessionError` `tooLongForWindow` with this command, which asks the
    /// same on a terminal.
    package func drawn(orElse command: String) throws -> DrawnAsk? {
        switch self {
        case .grant(let act): .pages(try PinentryQuestion.pages(of: act, orElse: command))
        case .yesNo(let question): .yesNo(PinentryQuestion(question))
        case .card, .distinction, .title, .caution, .anotherChoice, .option, .agreement, .pin, .code, .connection,
            .link, .review,
            .verdict, .denyAll, .notice:
            nil
        }
    }
}

extension Answer {
    /// The text that was typed into a field of a pinentry. `typed` is wiped.
    package init(typed secret: any Secret) {
        self = .typed(secret.withBytes { String(decoding: $0, as: UTF8.self) })
        secret.wipe()
    }

    /// The button of a question with three.
    package init(_ choice: PinentryChoice) {
        self =
            switch choice {
            case .ok: .yes
            case .other: .other
            case .cancel: .no
            }
    }
}
