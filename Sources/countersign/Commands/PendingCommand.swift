import ArgumentParser
import Authenticator
import Glibc
import SCA

struct PendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Ask the banks, and list what waits for your decision.",
        usage: "countersign pending [--connection <name>] [<options>]",
        discussion: "  countersign pending\n  countersign pending --json")

    @Option(help: ArgumentHelp("Only this connection.", valueName: "name")) var connection: String?
    @Flag(help: "Exit with a failing bank's code even when others answered.") var strict = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let context = try Context(options)
        try await context.withSession { session in
            let connections = try session.connections(named: connection)
            let inbox = Inbox(session)
            let answers = await inbox.fetch(connections)
            let now = context.clock.now()
            let broken = answers.compactMap { answer -> (ConnectionName, Failure)? in
                if case .failure(let error) = answer.result { return (answer.connection.name, Failure(error)) }
                return nil
            }
            let faults = answers.flatMap { answer in
                ((try? answer.result.get())?.faults ?? []).map { (answer.connection.name, Failure($0)) }
            }
            let payload = PendingPayload(
                authorizations: inbox.items(of: answers).map { AuthorizationPayload($0, now: now) },
                failures: (broken + faults).map { BankFailurePayload($0.0, $0.1) })
            if let first = broken.first?.1, broken.count == answers.count { try failWholly(first, payload) }
            if !options.json { for failure in payload.failures { Terminal.say(failure.text) } }
            try options.render(payload)
            if strict, let first = broken.first?.1 { throw ExitCode(first.exitCode) }
        }
    }

    /// All banks failed: the first one's code, and nothing that looks like an empty list.
    private func failWholly(_ first: Failure, _ payload: PendingPayload) throws -> Never {
        if options.json {
            try options.render(payload)
        } else {
            for failure in payload.failures { Terminal.say(failure.text) }
        }
        throw ExitCode(first.exitCode)
    }
}

extension Session {
    /// All connections, or the one with this name.
    func connections(named name: String?) throws -> [Connection] {
        guard let name else { return try connections.connections() }
        let connection = try connection(named: name)
        guard connection.status == .active else { throw LookupError(.inactive, wanted: name) }
        return [connection]
    }
}
