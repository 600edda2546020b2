import Client
import ArgumentParser
import Approvals
import ApprovalModel

struct ConsentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consents", abstract: "List and revoke third parties' access to your accounts.",
        usage: "countersign consents [<subcommand>]",
        discussion: "  countersign consents\n  countersign consents revoke fernbank:31",
        subcommands: [ListConsents.self, RevokeConsent.self], defaultSubcommand: ListConsents.self)
}

struct ListConsents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List third parties that may read your accounts.",
        usage: "countersign consents [list] [--connection <name>] [<options>]")

    @Option(help: ArgumentHelp("Only this connection.", valueName: "name"), completion: Completing.names)
    var connection: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).with(.approvals) { operations in
            let round = try await operations.perform(
                ApprovalVerbs.consents, ConsentsRequest(connection: connection))
            if !options.json { for failure in round.failures { Terminal.say(failure.text) } }
            try options.render(ConsentsPayload(round))
            if let first = round.failures.first, round.failed == round.asked, round.failed > 0 {
                throw ExitCode(first.kind.exitCode)
            }
        }
    }
}

struct RevokeConsent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "End a third party's access.",
        usage: "countersign consents revoke <ref> [<options>]",
        discussion: "  countersign consents revoke fernbank:31")

    @Argument(help: "NAME:ID, as consents prints it.") var ref: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        // Checked before the PIN is asked for.
        guard let reference = Reference(ref), reference.connection != nil, reference.bankID != nil else {
            throw LookupError.needsWholeConsent(ref)
        }
        try await Context(options).with(.approvals) { operations in
            try options.render(try await operations.perform(ApprovalVerbs.revokeConsent, on: ref))
        }
    }
}
