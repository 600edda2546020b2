import ArgumentParser
import Authenticator
import Display
import SCA

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show one authorization in full.", usage: "countersign show <ref> [<options>]",
        discussion: "  countersign show fernbank:77")

    @Argument(help: "NAME:ID, as pending prints it.") var ref: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.withSession { session in
            let item = try await Lookup(session: session, context: context).item(ref)
            let now = context.clock.now()
            try options.render(
                ShowPayload(
                    authorization: AuthorizationPayload(item, now: now),
                    card: Card(item.authorization, of: item.connection), now: now))
        }
    }
}
