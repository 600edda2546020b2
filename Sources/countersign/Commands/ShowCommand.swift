import ArgumentParser

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one authorization in full.", usage: "countersign show <ref> [<options>]",
        discussion: """
              countersign show fernbank:77

            If a request is a link, give the link in place of the reference; - reads it from standard input.
            """)

    @Argument(
        help: "NAME:ID, as pending prints it, or a request's link. On a terminal, the ID or its beginning is enough.",
        completion: Completing.references)
    var ref: String
    @Option(
        help: ArgumentHelp("The connection to use for a link if several match.", valueName: "name"),
        completion: Completing.names)
    var connection: String?
    @Flag(help: "Also print the decrypted plaintext, with control characters made visible.") var source = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        let name = try RequestName(ref, context)
        try await context.with(.approvals) { operations in
            let ref = try await name.reference(context, operations, connection: connection)
            let card = try await context.card(named: ref, operations, withSource: source)
            try options.render(ShowPayload(card: card, now: context.clock.now()))
        }
    }
}
