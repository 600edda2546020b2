import ArgumentParser

/// A command without arguments of its own: it takes only the options of all commands.
protocol PlainCommand: AsyncParsableCommand {
    var options: GlobalOptions { get }

    static func run(_ options: Options) async throws
}

extension PlainCommand {
    func run() async throws { try await Self.run(options.values) }
}

/// A command parsed without ArgumentParser, whose reflection takes longer than the rest of the command: prompts, status bars and
/// scripts call these often.
struct PlainWords {
    typealias Run = @Sendable () async throws -> Void
    let run: Run

    /// Nil for anything that needs the parser: another command, an option with a value, a mistake.
    init?(_ words: ArraySlice<String>) {
        guard let run = Self.command(words.first, words.dropFirst()) else { return nil }
        self.run = run
    }

    private static func command(_ name: String?, _ words: ArraySlice<String>) -> Run? {
        let flags = Options(flags: words)
        let values = words.contains { $0.hasPrefix("-") } ? nil : words
        switch (name, flags, values?.count) {
        case ("status", let options?, _): return { try await StatusCommand.run(options) }
        case ("connections", let options?, _), ("ls", let options?, _):
            return { try await ConnectionsCommand.run(options) }
        case ("unlock", let options?, _): return { try await UnlockCommand.run(options) }
        case ("lock", let options?, _): return { try await LockCommand.run(options) }
        case ("token", _, 0?), ("token", _, 1?): return { try await TokenCommand.run(target: words.first) }
        case ("header", _, 1?): return { try await HeaderCommand.run(url: words[words.startIndex]) }
        default: return nil
        }
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
