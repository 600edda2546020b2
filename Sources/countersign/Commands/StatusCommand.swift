import Agent
import ArgumentParser
import SCA

struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say whether a PIN is set, tries are left and an agent runs. Never asks.",
        usage: "countersign status [<options>]")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try options.render(try await context.status())
    }
}

extension StatusCommand {
    /// `status` and `status --json` without the parser, whose reflection costs more than all the rest: prompts and status
    /// bars ask often. Nil for other words.
    init?(plain words: ArraySlice<String>) {
        guard words == ["status"] || words == ["status", "--json"] else { return nil }
        self.init()
        options = .parsed(json: words.count > 1)
    }
}

extension GlobalOptions {
    /// What the parser makes of `--json` alone, or of no option.
    fileprivate static func parsed(json: Bool) -> GlobalOptions {
        var options = GlobalOptions()
        options.json = json
        options.quiet = false
        options.noInput = false
        options.verbose = false
        options.pinFile = nil
        options.home = nil
        options.caFile = nil
        return options
    }
}
