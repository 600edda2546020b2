import Authenticator
import Display
import Pinentry

extension Answering {
    /// Lists these requests of one connection, and asks whether to deny them all.
    func agreesToDenyAll(_ cards: [Card]) throws -> Bool {
        _ = try context.terminal.show(cards.map { "  \($0.reference)  \($0.title.line)" })
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
