import Agent
import ArgumentParser
import SCA

struct StatusCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say whether a PIN is set, tries are left and an agent runs. Never asks.",
        usage: "countersign status [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options, settings: .loadOrWarn())
        try options.render(try await context.status())
    }
}
