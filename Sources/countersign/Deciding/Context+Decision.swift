import Approvals
import Basics
import CTerminal
import Dialogue
import Display
import FoundationEssentials
import Glibc

// Draws the questions of a decision.

extension Context {
    /// Asks the questions of this dialogue, up to the PIN. Throws the failure that it ends with.
    ///
    /// - Parameter isShown: whether the person sees the card already.
    /// - Returns: the option that was chosen, and the lines to repeat beside the PIN; none while the whole card is in sight.
    func walk(_ dialogue: DecisionDialogue, isShown: Bool) throws -> (option: String?, recap: [String]) {
        var dialogue = dialogue
        let (card, now) = (dialogue.card, clock.now())
        let asks = dialogue.asksMore || options.effectivePINFile == nil && !prompts.opensWindows
        // Whether the card may be out of sight when a yes or the PIN is asked for.
        var isFar = isShown || dialogue.asksMore && dialogue.verdict == .approve
        var recap: [String] { isFar ? card.recap(within: Terminal.columns - 1) : [] }
        var next = dialogue.next()
        while case .ask(let ask) = next {
            let below = recap
            if case .card = ask, terminal.isInteractive, !isShown {
                if asks {
                    isFar = try !terminal.show { card.drawn(at: now) } || isFar
                } else {
                    card.present(at: now)
                }
            }
            next = dialogue.next(
                try prompts.answer(ask, on: card, to: dialogue.verdict, below: below, at: now))
        }
        switch next {
        case .ask: throw Failure.cancelled
        case .end(let failure): throw failure
        case .decide(let option, _): return (option, recap)
        }
    }

    /// Whether to stop waiting for the bank's final answer.
    var isGivenUp: @Sendable () -> Bool { { [isRecalled] in countersign_interrupted() != 0 || isRecalled() } }

    /// Holds ctrl-c back, so that a request that was sent is not abandoned before its answer is recorded. An interrupt
    /// still ends the wait for the bank's final answer; `talks`: there is such a wait.
    func uninterrupted<R: Sendable>(talks: Bool, _ body: () async throws -> R) async throws -> R {
        countersign_interrupts_hold(1)
        defer { countersign_interrupts_hold(0) }
        let isTalking = talks && terminal.isInteractive && !options.json && !options.quiet
        let notice = Task {
            try await Task.sleep(for: .seconds(1))
            if isTalking { Terminal.say("Waiting for the bank …") }
        }
        defer { notice.cancel() }
        return try await body()
    }
}

extension Card {
    /// How to deny all that waits at this connection, where too many wait at once.
    var crowdHint: String? {
        crowdWarning.map { _ in "hint: to deny them all: countersign deny --all \(connection.text) --reason not-me" }
    }

    /// The lines of the whole card for the terminal.
    func drawn(at now: Date) -> [String] {
        let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
        return lines(at: now, width: Terminal.columns, style: style) + (crowdHint.map { [$0] } ?? [])
    }

    /// Writes the whole card to the terminal, where no question follows.
    func present(at now: Date) {
        for line in drawn(at: now) { Terminal.say(line) }
    }
}
