import Authenticator
import Display
import Pinentry

extension Answering {
    /// Lists these requests of one connection, and asks whether to deny them all.
    func agreesToDenyAll(_ cards: [Card]) throws -> Bool {
        let references = cards.map { "  \($0.reference)" }
        let labels = (references.map { TextWidth.columns($0) }.max() ?? 0) + 2
        _ = try context.terminal.show {
            zip(cards, references).flatMap { card, reference in
                TextLines.of(TextLines.one(card.title), behind: reference, labels: labels, width: Terminal.columns)
            }
        }
        let name = cards.first?.connection.text ?? ""
        return try context.prompts.confirm(
            "Deny all \(cards.count) that wait at \(name)?", .denyAll(cards, PINPurpose.asker))
    }
}

extension Card {
    /// How to deny all that waits at this connection, where too many wait at once.
    var crowdHint: String? {
        crowdWarning.map { _ in "hint: to deny them all: countersign deny --all \(connection.text) --reason not-me" }
    }
}
