import ArgumentParser

/// A command without arguments of its own: it takes only the options of all commands.
protocol PlainCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    static func run(_ options: Options) async throws
}

extension PlainCommand {
    func run() async throws { try await Self.run(options.values) }
}

/// The arguments of a plain command, parsed without ArgumentParser, whose reflection takes longer than the rest of the
/// command: prompts, status bars and scripts call these often.
struct PlainWords {
    let command: any PlainCommand.Type
    let options: Options

    /// Nil for anything that needs the parser: another command, an option with a value, a mistake.
    init?(_ words: ArraySlice<String>) {
        switch words.first {
        case "status": command = StatusCommand.self
        case "connections", "ls": command = ConnectionsCommand.self
        case "unlock": command = UnlockCommand.self
        case "lock": command = LockCommand.self
        default: return nil
        }
        guard let options = Options(flags: words.dropFirst()) else { return nil }
        self.options = options
    }
}

extension Options {
    /// The options if every word is a flag, and nil otherwise.
    fileprivate init?(flags: ArraySlice<String>) {
        self.init()
        for flag in flags {
            switch flag {
            case "--json": json = true
            case "--quiet", "-q": quiet = true
            case "--no-input": noInput = true
            case "--verbose": verbose = true
            default: return nil
            }
        }
    }
}
