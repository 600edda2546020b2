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

            A page shows the code to have something confirmed. Claiming it for one of your connections either settles \
            the matter, or makes the bank send a request for you to approve; the answer then names the request. \
            Claiming may sign in the person who shows the code, so claim only codes on pages that you opened yourself.

            At some sites the link is the request itself. Then its card is shown, and approving takes the PIN; without a \
            terminal an open agent adds it to its list.
            """)

    @OptionGroup var link: LinkOptions
    @Option(
        help: ArgumentHelp("The connection to use if several match.", valueName: "name"),
        completion: Completing.names)
    var connection: String?
    @Flag(name: .shortAndLong, help: "Do not ask to confirm bank and connection.") var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let done = try await Acting(options: options, connection: connection, yes: yes).run(link.source)
        if case .decided(_, let failure?) = done { throw ExitCode(failure.exitCode) }
    }
}

/// Claims an instant action after the person has seen for which connection and host. A link that is itself the request
/// is decided at once if the person can be asked, and otherwise added to the agent's list.
struct Acting {
    let options: GlobalOptions
    let connection: String?
    let yes: Bool
    /// Whether a page led here.
    var isClicked = false

    /// The result of a link.
    enum Done {
        case claimed(ActionPayload)
        /// It waits in the agent's list, and the agent notifies the person.
        case listed
        /// The decision, and why it was not approved; nil if it was.
        case decided(DecisionPayload, Failure?)
    }

    /// Prints the result, and returns it.
    func run(_ source: LinkSource) async throws -> Done {
        let context = try Context(options)
        let text = try await source.early(context, .action)
        return try await context.withOperations { operations in
            let link = text ?? StandardInput.link()
            let action = try context.links.action(link)
            let choice = LinkChoice(context: context, operations: operations, connection: connection)
            let chosen = try await choice.connection(for: link)
            guard !action.isRequest else { return try await take(link, chosen, operations, context) }
            try confirm(chosen, context)
            let answer = try await operations.claim(link, for: chosen.name)
            try options.render(answer)
            if answer.action.authorization == nil { await goBack(action, context) }
            return .claimed(answer)
        }
    }

    /// Decides a link that is itself the request. Showing its card replaces the question whether it is right.
    private func take(
        _ link: String, _ chosen: ConnectionPayload, _ operations: any Operations, _ context: Context
    ) async throws -> Done {
        let answer = try await operations.claim(link, for: chosen.name, isClicked: isClicked)
        guard let ref = answer.action.authorization else { throw Failure.gone }
        guard context.terminal.isInteractive || (context.prompts.opensWindows && !operations.locksItself) else {
            guard operations.locksItself else {
                throw Failure.usage(
                    "no terminal shows the card, and no agent is open to keep it",
                    hint:
                        "countersign show LINK prints its fingerprint; then: countersign approve LINK --fingerprint HEX"
                )
            }
            try options.render(answer)
            return .listed
        }
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        let answering = Answering(operations: operations, context: context, position: nil, waits: true)
        var fatigue = FatigueGuard()
        let (decision, failure) = await answering.answer(.approve, to: card, &fatigue)
        if let failure, !options.json { Terminal.say(failure) }
        try options.render(DecisionsPayload(decisions: [decision]))
        if failure == nil { await context.offerReturn(of: card) }
        return .decided(decision, failure)
    }

    private func confirm(_ connection: ConnectionPayload, _ context: Context) throws {
        if yes { return }
        let bank = DisplayText(answered: connection.bank)
        let host = DisplayText(answered: connection.host)
        let question = "\(host.line) (\(bank.line(within: 60))): claim this action for \(connection.name)?"
        guard context.prompts.canAsk else {
            throw Failure(.locked, "there is nobody to confirm this action", hint: "add --yes when this is right")
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

    /// Opens the page again when nothing is left to decide, but only an address that we would call ourselves
    /// (saltedge-v1 section 9.4).
    private func goBack(_ action: ActionLink, _ context: Context) async {
        guard context.terminal.isInteractive, let text = action.returnTo?.untrusted, let page = try? WebAddress(text)
        else { return }
        await LedBrowser.visit(PageAddress(page))
    }
}
