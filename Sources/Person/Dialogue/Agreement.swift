package import Basics

/// The one yes that an undertaking needs, unless an option gave it beforehand.
package struct Agreement: Sendable {
    package enum Next: Sendable, Equatable {
        case ask(Ask)
        case agreed
        case end(Failure)
    }

    package enum Need: Sendable {
        /// Nothing is done without it. Where nobody can be asked, an option must give it.
        case always
        /// A person at a terminal is asked. A script has said it by the command itself.
        case onTerminal
    }

    private var rest: Next?
    private var isOpen = false
    private var failure: Failure?

    /// `isGiven`: whether an option says yes.
    package init(_ question: Question, isGiven: Bool, _ need: Need = .always, before audience: Audience) {
        switch (isGiven, need, audience) {
        case (true, _, _): rest = question.notice.isEmpty ? nil : .ask(.notice(question.notice))
        case (false, .always, .nobody):
            failure = Failure(.locked, question.unasked, hint: "add --yes when this is right")
        case (false, .onTerminal, .nobody), (false, .onTerminal, .person(typesWords: false)): rest = nil
        case (false, _, _): rest = .ask(.yesNo(question))
        }
    }

    /// Takes the answer to the question that is open, and returns the next step.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        if isOpen, answer != .yes { failure = failure ?? .cancelled }
        isOpen = false
        if let failure { return .end(failure) }
        guard let ask = rest else { return .agreed }
        rest = nil
        isOpen = true
        return ask
    }
}
