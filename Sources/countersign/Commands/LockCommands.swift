import ArgumentParser

struct UnlockCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Open the agent with the PIN, for five minutes without use.",
        usage: "countersign unlock [<options>]",
        discussion: """
              countersign unlock

            While it is open, commands do not ask for the PIN; approving always does. Entering a \
            PIN, deciding, and running a command on a terminal count as use; polling the banks does not. After twelve \
            hours the agent shuts in any case.
            """)

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        try options.render(try await Context(options, callsInPlace: true).unlock())
    }
}

struct LockCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Shut the agent: it forgets all keys and asks no bank until the PIN is entered.",
        usage: "countersign lock [<options>]",
        discussion: "  countersign lock")

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        let context = try Context(options, settings: .loadOrWarn(), callsInPlace: true)
        try options.render(try await context.lock())
    }
}
