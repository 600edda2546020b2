import Basics
import Dialogue
import Display
import Keys

/// Cards of facts, which the PIN says yes to.
extension Context {
    /// Writes the card to the terminal; if a PIN is typed there, page by page where the screen is too small for both. Returns the lines to
    /// repeat beside the PIN; none while the whole card is in sight.
    private func show(_ facts: [Fact]) throws -> [String] {
        // No value can begin a line of its own.
        func wrapped() -> [[String]] { facts.map { TextLines.of($0.line, width: Terminal.columns) } }
        guard terminal.isInteractive, options.effectivePINFile == nil, !prompts.opensWindows else {
            for line in wrapped().joined() { Terminal.say(line) }
            return []
        }
        return try terminal.show { wrapped().flatMap { $0 } } ? [] : wrapped().prefix(2).compactMap(\.first)
    }

    /// Asks the questions of this dialogue, with the PIN at last, which `use` gets.
    func withPIN<R>(
        after dialogue: GrantDialogue, _ use: (any Secret, PINSource) async throws -> R
    ) async throws -> R {
        var (dialogue, recap) = (dialogue, [String]())
        var next = dialogue.next()
        while case .ask(let ask) = next {
            if case .grant(let act) = ask { recap = try show(act.facts) }
            next = dialogue.next(try prompts.answer(ask))
        }
        switch next {
        case .prove(let granted): return try await withPIN(for: .grant(granted.act), recap: recap, use)
        case .end(let failure): throw failure
        case .ask, .refuse: throw Failure.cancelled
        }
    }
}
