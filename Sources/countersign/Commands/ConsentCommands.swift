import ArgumentParser
import Authenticator
import SCA

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

    @Option(help: ArgumentHelp("Only this connection.", valueName: "name")) var connection: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        try await Context(options).withSession { session in
            let answers = await Maintaining(session).consents(of: try session.connections(named: connection))
            var broken: [(ConnectionName, Failure)] = []
            var faults: [(ConnectionName, Failure)] = []
            for answer in answers {
                switch answer.result {
                case .success(let list):
                    faults += list.faults.map {
                        (answer.connection.name, Failure(.internal, "a consent was left out: \($0.reason)"))
                    }
                case .failure(let error): broken.append((answer.connection.name, Failure(error)))
                }
            }
            let payload = ConsentsPayload(answers, failures: (broken + faults).map { BankFailurePayload($0.0, $0.1) })
            if !options.json { for failure in payload.failures { Terminal.say(failure.text) } }
            try options.render(payload)
            if let first = broken.first?.1, broken.count == answers.count { throw ExitCode(first.exitCode) }
        }
    }
}

struct RevokeConsent: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Take a third party's access away.",
        usage: "countersign consents revoke <ref> [<options>]",
        discussion: "  countersign consents revoke fernbank:31")

    @Argument(help: "NAME:ID, as consents prints it.") var ref: String
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let reference = Reference(ref), let name = reference.connection, let id = reference.bankID else {
            throw LookupError(.needsWholeReference, wanted: ref)
        }
        try await Context(options).withSession { session in
            let connection = try session.connection(named: name.text)
            try await Maintaining(session).revokeConsent(id, of: connection)
            try options.render(ConsentRevokedPayload(revoked: .init(ref: Reference.text(connection.name, id))))
        }
    }
}
