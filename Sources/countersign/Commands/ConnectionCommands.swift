import ArgumentParser
import Authenticator
import SCA

struct ConnectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections", abstract: "List the banks that are connected.",
        usage: "countersign connections [<options>]", aliases: ["ls"])

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withSession { session in
            try options.render(ConnectionsPayload(try session.connections.connections()))
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
        try await Context(options).withSession { session in
            let renamed = try Maintaining(session).rename(try session.connection(named: name), to: new)
            try options.render(OneConnectionPayload(renamed, done: "Renamed"))
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
        try await Context(options).withSession { session in
            let connection = try session.connection(named: name)
            do {
                let told = try await Maintaining(session).revoke(connection, localOnly: localOnly)
                try options.render(RevokedPayload(connection, bankTold: told))
            } catch {
                var failure = Failure(error)
                failure.message += "; everything was kept"
                failure.hint = "destroy it on this computer alone: countersign revoke \(name) --local-only"
                throw failure
            }
        }
    }
}

extension Failure {
    static let badName = Failure.usage(
        "this is not a name for a connection", hint: "a-z, 0-9 and -, at most 32 characters, not beginning with -")
}
