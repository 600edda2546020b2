import ArgumentParser

struct StatusCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show whether a PIN is set and an agent runs, and the tries left; never asks.",
        usage: "countersign status [<options>]")

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        let context = try Context(options, settings: .loadOrWarn(), callsInPlace: true)
        try options.render(StatusNow(try await context.status(), try context.connectionCounts()))
    }
}
