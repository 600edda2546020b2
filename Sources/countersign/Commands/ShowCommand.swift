import ArgumentParser

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one authorization in full.", usage: "countersign show <ref> [<options>]",
        discussion: "  countersign show fernbank:77")

    @Argument(help: "NAME:ID, as pending prints it.", completion: Completing.references) var ref: String
    @Flag(help: "Print also the decrypted plaintext as the bank sealed it, made visible.") var source = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.withOperations { operations in
            let card = try await operations.card(
                ref, abbreviated: context.terminal.isInteractive, withSource: source)
            try options.render(ShowPayload(card: card, now: context.clock.now()))
        }
    }
}
