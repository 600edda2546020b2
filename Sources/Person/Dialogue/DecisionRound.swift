package import Basics

/// Several requests by name, decided one after the other, each by its own `DecisionDialogue`.
package struct DecisionRound: Sendable {
    package enum Next: Sendable, Equatable {
        /// Decide the one at this place.
        case decide(Int)
        /// All that could be decided was; the first failure.
        case end(Failure?)
        /// Nothing was decided, for want of the PIN.
        case fail(Failure)
    }

    private let count: Int
    private let hasPerson: Bool
    private let hasPIN: Bool
    private var place = 0
    private var failure: Failure?
    private var isOver = false

    /// `hasPIN`: whether the PIN comes from a file.
    package init(of count: Int, hasPIN: Bool, before audience: Audience) {
        self.count = count
        self.hasPIN = hasPIN
        hasPerson = audience != .nobody
    }

    /// Takes the failure of the last decision, and returns the next step. `isInterrupted`: whether a signal ends the command.
    package mutating func next(after result: Failure? = nil, isInterrupted: Bool = false) -> Next {
        if let result {
            failure = failure ?? result
            // Without an agent, opening the vault fails at once. With an agent, the next one would cost another try.
            let isForWantOfPIN = (result.kind == .locked || result.kind == .secretService) && (hasPIN || !hasPerson)
            if isForWantOfPIN, place == 1 { return .fail(result) }
            isOver = isOver || result.kind == .cancelled && hasPerson
        }
        if isInterrupted, place < count, !isOver {
            failure = failure ?? .cancelled
            isOver = true
        }
        guard !isOver, place < count else { return .end(failure) }
        place += 1
        return .decide(place - 1)
    }
}
