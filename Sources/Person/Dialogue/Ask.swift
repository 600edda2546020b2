package import Approvals
package import ApprovalModel
package import Display

/// One question to the person.
///
/// A dialogue decides which questions come, and in which order. A front end (terminal, pinentry, notification) only draws a question and
/// brings the answer back. The words of each question stand here as well (`Ask+Words`, `Question`), so that every front end asks alike.
package enum Ask: Sendable, Equatable {
    /// The whole card. `isDemanded`: a PIN follows that signs the content, so the end must have been on screen.
    case card(isDemanded: Bool)
    /// The same was approved a few minutes ago: the person types the amount, or the title of a card without one.
    case distinction
    /// The card shows nothing but its title, or not all: the person types the title, and so has read the warning.
    case title
    /// The bank counts wrong responses, and the last one was wrong.
    case caution(Caution)
    /// The bank refused a choice before.
    case anotherChoice
    /// Approving means to choose one of these. `isAgain`: the text typed before is none of them.
    case option([String], isAgain: Bool)
    /// Yes or no to the verdict itself.
    case agreement
    /// The PIN, for this verdict and with this choice. It is the last question.
    case pin(choosing: String?)
    /// The whole card of an act that the PIN allows. The PIN follows.
    case grant(Granting)
    /// The code that the person enters on a page of the issuer.
    case code(DeviceCard)
    /// Which of these connections an action is for: a number or a name. `isAgain`: the text typed before is none of them.
    case connection([ConnectionPayload], isAgain: Bool)
    /// Which of these hosts' links is meant: a number. `isAgain`: the text typed before is none of them.
    case link([DisplayText], isAgain: Bool)
    /// The whole card of one request of several, before the verdict. `.other` lays it aside.
    case review(Place)
    /// Approve or deny, after that card. `.other` denies.
    case verdict
    /// Whether to deny all of these at once. Their titles are shown.
    case denyAll(Crowd)
    /// Any other yes or no.
    case yesNo(Question)
    /// Words to read, with nothing to answer: a question that an option has said yes to.
    case notice([String])
}

/// The person's answer to an `Ask`.
package enum Answer: Sendable, Equatable {
    /// A yes; to a card, that its end was on screen.
    case yes
    /// A no, or nothing.
    case no
    case typed(String)
    /// The third button of a question that has one.
    case other
}

/// The number of one request among several.
package struct Place: Sendable, Equatable {
    package let number: Int
    package let count: Int

    package init(_ number: Int, of count: Int) {
        self.number = number
        self.count = count
    }
}
