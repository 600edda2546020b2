import ArgumentParser
import Authenticator
import Basics
import Display
import Pinentry
import SCA

struct ActCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Claim an instant action: the code that a bank's page shows.",
        usage: "countersign act [<link>] [--connection <name>] [<options>]",
        discussion: """
              countersign act

            The code stands for something that the page wants confirmed. Claiming it for one of your connections \
            either settles the matter, or makes the bank ask you to confirm it; the answer then names what to approve. \
            Claiming may sign in whoever shows the code, so claim only a code on a page that you opened yourself.
            """)

    @OptionGroup var link: LinkOptions
    @Option(
        help: ArgumentHelp("Claim it for this connection, when several match.", valueName: "name"),
        completion: Completing.names)
    var connection: String?
    @Flag(name: .shortAndLong, help: "Do not ask whether bank and connection are right.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        _ = try await Acting(options: options, connection: connection, yes: yes)
            .run(link.source)
    }
}

/// Claims an instant action after the person has seen for which connection at which host.
struct Acting {
    let options: GlobalOptions
    let connection: String?
    let yes: Bool

    /// Prints the result, and returns it.
    func run(_ source: LinkSource) async throws -> ActionPayload {
        let context = try Context(options)
        let text = try await source.early(context, .action)
        return try await context.withOperations { operations in
            let link = text ?? StandardInput.line() ?? ""
            let action = try context.links.action(link)
            let chosen = try await choose(link, operations, context)
            try confirm(chosen, context)
            let answer = try await operations.claim(link, for: chosen.name)
            try options.render(answer)
            if answer.action.authorization == nil { goBack(action, context) }
            return answer
        }
    }

    private func choose(
        _ link: String, _ operations: any Operations, _ context: Context
    ) async throws -> ConnectionPayload {
        let candidates = try await operations.candidates(for: link).connections
        if let name = connection {
            if let named = candidates.first(where: { $0.name == name }) { return named }
            let all = try await operations.connections().connections.map(\.name)
            guard all.contains(name) else {
                throw LookupError(noConnection: name, among: all)
            }
            throw Failure(
                .notFound, "this action is not for the connection \"\(name)\"", hint: "countersign connections")
        }
        guard let first = candidates.first else {
            let isNone = try await operations.connections().connections.isEmpty
            throw Failure(
                .notFound, "no active connection is with the bank of this action",
                hint: isNone ? "connect its bank first: countersign enroll" : "countersign connections")
        }
        guard candidates.count > 1 else { return first }
        guard context.terminal.isInteractive else {
            throw Failure(
                .ambiguous, "several connections are with the bank of this action",
                hint: "add --connection with one of: \(candidates.map(\.name).joined(separator: ", "))")
        }
        return try offer(candidates, context)
    }

    /// Lets the person choose one of several connections, by number or name; asks again after any other answer.
    private func offer(_ candidates: [ConnectionPayload], _ context: Context) throws -> ConnectionPayload {
        Terminal.say("Several connections are with the bank of this action:")
        for (index, connection) in candidates.enumerated() {
            Terminal.say("  \(index + 1)  \(connection.name)  \(DisplayText(answered: connection.host).line)")
        }
        while true {
            let answer = try context.terminal.line("Which one, 1 to \(candidates.count) (empty cancels)? ")
            if answer.isEmpty { throw Failure.cancelled }
            if let named = candidates.first(where: { $0.name == answer }) { return named }
            if let number = Int(answer), (1...candidates.count).contains(number) { return candidates[number - 1] }
            Terminal.say("That is none of them.")
        }
    }

    private func confirm(_ connection: ConnectionPayload, _ context: Context) throws {
        if yes { return }
        let bank = DisplayText(answered: connection.bank)
        let host = DisplayText(answered: connection.host)
        let question = "\(host.line) (\(bank.line(within: 60))): claim this action for \(connection.name)?"
        guard context.prompts.canAsk else {
            throw Failure(.locked, "nobody is here to say yes to this action", hint: "add --yes when this is right")
        }
        let agreed = try context.prompts.confirm(
            "warning: \(Self.warning)\n\(question)",
            PinentryQuestion(
                "Claim this action for this connection?",
                details: [
                    PinentryQuestion.line("Host", host), PinentryQuestion.short("Bank", bank),
                    PinentryQuestion.line("Connection", DisplayText(answered: connection.name)),
                    DisplayText("Warning: " + Self.warning),
                ], ok: "Claim"))
        guard agreed else { throw Failure.cancelled }
    }

    private static let warning =
        "this may sign in whoever shows the code; go on only if your own page shows it"

    /// Leads back to the page when nothing more is to be decided: only to an address that we would call ourselves
    /// (saltedge-v1 section 9.4).
    private func goBack(_ action: ActionLink, _ context: Context) {
        guard context.terminal.isInteractive, let text = action.returnTo?.untrusted, let page = try? WebAddress(text)
        else { return }
        _ = Browser.open(page)
    }
}
