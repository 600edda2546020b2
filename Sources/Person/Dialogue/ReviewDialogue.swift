package import ApprovalModel
package import Basics

/// The questions about one request of several, before its verdict is known: the whole card, then approve or deny. A `DecisionDialogue`
/// follows, for which the card was shown.
package struct ReviewDialogue: Sendable {
    package enum Next: Sendable, Equatable {
        case ask(Ask)
        case decide(Verdict)
        /// The person laid it aside.
        case skip
        case end(Failure)
    }

    private enum Phase {
        case begin, reading, deciding
        case over(Next)
    }

    private let place: Place
    private var phase = Phase.begin

    package init(at place: Place) { self.place = place }

    /// Takes the answer to the question that is open, and returns the next step.
    package mutating func next(_ answer: Answer? = nil) -> Next {
        switch (phase, answer) {
        case (.begin, _):
            phase = .reading
            return .ask(.review(place))
        case (.reading, .yes?):
            phase = .deciding
            return .ask(.verdict)
        case (.reading, .other?): return end(.skip)
        case (.deciding, .yes?): return end(.decide(.approve))
        case (.deciding, .other?): return end(.decide(.deny))
        case (.reading, _), (.deciding, _): return end(.end(.cancelled))
        case (.over(let end), _): return end
        }
    }

    private mutating func end(_ end: Next) -> Next {
        phase = .over(end)
        return end
    }
}
