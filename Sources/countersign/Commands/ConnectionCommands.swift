import Agent
import ArgumentParser
import SCA

struct ConnectionsCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections", abstract: "List the banks that are connected.",
        usage: "countersign connections [<options>]", aliases: ["ls"])

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        try await Context(options, callsInPlace: true).withOperations {
            try options.render(try await $0.connections())
        }
    }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a connection another name.",
        usage: "countersign rename <name> <new> [<options>]",
        discussion: "  countersign rename fernbank treasury")

    @Argument(help: "The connection's name.") var name: String
    @Argument(help: "The new name: a-z, 0-9 and -, at most 32 characters.") var new: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let new = ConnectionName(new) else { throw Failure.badName }
        try await Context(options).withOperations { operations in
            try options.render(
                ChangedConnection(try await operations.rename(name, to: new).connection, done: "Renamed"))
        }
    }
}

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Disconnect a bank: tell it, then destroy key, token and record here.",
        usage: "countersign revoke <name> [--local-only] [<options>]",
        discussion: "  countersign revoke fernbank")

    @Argument(help: "The connection's name.") var name: String
    @Flag(help: "Destroy what is on this computer without telling the bank.") var localOnly = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withOperations { operations in
            try options.render(try await operations.revoke(name, localOnly: localOnly))
        }
    }
}
