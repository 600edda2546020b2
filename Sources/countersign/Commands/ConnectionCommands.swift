import Client
import ArgumentParser
import Approvals
import Basics
import Dialogue
import Display
import ApprovalModel

struct ConnectionsCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "connections", abstract: "List connected banks.",
        usage: "countersign connections [<options>]", aliases: ["ls"])

    @OptionGroup var options: GlobalOptions

    static func run(_ options: Options) async throws {
        try await Context(options, callsInPlace: true).with(.approvals) {
            let answer = try await $0.perform(ApprovalVerbs.connections)
            options.say(failures: answer.failures?.map(\.text))
            try options.render(answer)
        }
    }
}

struct RenameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a connection another name.",
        usage: "countersign rename <name> <new> [<options>]",
        discussion: "  countersign rename fernbank treasury")

    @Argument(help: "The connection's name.", completion: Completing.names) var name: String
    @Argument(help: "The new name: a-z, 0-9 and -, at most 32 characters.") var new: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let new = ConnectionName(new) else { throw Failure.badName }
        try await Context(options).with(.approvals) { operations in
            let renamed = try await operations.perform(ApprovalVerbs.rename, on: name, NewName(name: new))
            try options.render(ChangedConnection(renamed.connection, done: "Renamed"))
        }
    }
}

struct RevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Disconnect: notify the bank, then destroy key, token and record here.",
        usage: "countersign revoke <name> [--local-only] [--yes] [<options>]",
        discussion: """
              countersign revoke fernbank

            On a terminal it asks first. Without one, or with --no-input, it acts at once.
            """)

    @Argument(help: "The connection's name.", completion: Completing.names) var name: String
    @Flag(help: "Destroy key, token and record here without notifying the bank.") var localOnly = false
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.with(.approvals) { operations in
            if !yes, context.terminal.isInteractive {
                let all = try await operations.perform(ApprovalVerbs.connections).connections
                guard let connection = all.first(where: { $0.name == name }) else {
                    throw LookupError(noConnection: name, among: all.map(\.name))
                }
                let question = Question.revoke(connection, localOnly: localOnly)
                try context.prompts.demand(question, isGiven: yes, .onTerminal)
            }
            let options = RevokeOptions(localOnly: localOnly)
            try self.options.render(try await operations.perform(ApprovalVerbs.revoke, on: name, options))
        }
    }
}
