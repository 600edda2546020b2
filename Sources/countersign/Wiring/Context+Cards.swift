import Basics
import Dialogue
import Display

/// Cards of facts, which the PIN says yes to.
extension Context {
    /// Writes the card to the terminal; if a PIN is typed there, page by page where the screen is too small for both. Returns the lines to
    /// repeat beside the PIN; none while the whole card is in sight.
    func show(_ facts: [Fact]) throws -> [String] {
        // No value can begin a line of its own.
        func wrapped() -> [[String]] { facts.map { TextLines.of($0.line, width: Terminal.columns) } }
        guard terminal.isInteractive, options.effectivePINFile == nil, !prompts.opensWindows else {
            for line in wrapped().joined() { Terminal.say(line) }
            return []
        }
        return try terminal.show { wrapped().flatMap { $0 } } ? [] : wrapped().prefix(2).compactMap(\.first)
    }

    /// Shows the card of this dialogue. Returns the grant that the PIN then allows, and the lines to repeat beside it.
    func walk(_ dialogue: GrantDialogue, for life: Fact) throws -> (granted: GrantDialogue.Granted, recap: [String]) {
        var (dialogue, recap) = (dialogue, [String]())
        var next = dialogue.next()
        while case .ask(.grant(let card)) = next {
            recap = try show(card.facts + [life])
            next = dialogue.next(.yes)
        }
        switch next {
        case .prove(let granted): return (granted, recap)
        case .end(let failure): throw failure
        // An option answers every other question.
        case .ask, .refuse: throw Failure.cancelled
        }
    }
}
