import ArgumentParser

struct StatusCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say whether a PIN is set, tries are left and an agent runs. Never asks.",
        usage: "countersign status [<options>]")

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        let context = try Context(options, settings: .loadOrWarn(), callsInPlace: true)
        try options.render(try await context.status())
    }
}
