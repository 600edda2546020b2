import ArgumentParser

/// A command without words of its own: it takes the options of all commands, and nothing else.
protocol PlainCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    static func run(_ options: Options) async throws
}

extension PlainCommand {
    func run() async throws { try await Self.run(options.values) }
}

/// The words of a plain command, read without the parser, whose reflection costs more than all the rest: prompts, status bars
/// and scripts ask often.
struct PlainWords {
    let command: any PlainCommand.Type
    let options: Options

    /// Nil for words that take the parser: another command, an option with a value, a mistake.
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
    /// What the parser makes of these words; nil unless each is a flag.
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
