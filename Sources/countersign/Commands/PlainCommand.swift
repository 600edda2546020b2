import ArgumentParser

/// A command without words of its own: it takes the options of all commands, and nothing else.
protocol PlainCommand: AsyncParsableCommand {
    var options: GlobalOptions { get set }
}

/// Reads the words of plain commands without the parser, whose reflection costs more than all the rest: prompts, status
/// bars and scripts ask often.
enum PlainWords {
    private static let commands: [String: any PlainCommand.Type] = [
        "status": StatusCommand.self, "connections": ConnectionsCommand.self, "ls": ConnectionsCommand.self,
        "unlock": UnlockCommand.self, "lock": LockCommand.self,
    ]

    /// Nil for words that take the parser: another command, an option with a value, a mistake.
    static func command(_ words: ArraySlice<String>) -> (any PlainCommand)? {
        guard let type = commands[words.first ?? ""], let options = GlobalOptions(flags: words.dropFirst()) else {
            return nil
        }
        var command = type.init()
        command.options = options
        return command
    }
}

extension GlobalOptions {
    /// What the parser makes of these words; nil unless each is a flag.
    fileprivate init?(flags: ArraySlice<String>) {
        self.init()
        json = false
        quiet = false
        noInput = false
        verbose = false
        pinFile = nil
        home = nil
        caFile = nil
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
