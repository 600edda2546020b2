import Client
import ArgumentParser
import Approvals
import Basics
import ApprovalModel

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
        let early = try await source.early(context, .action)
        return try await context.with(.approvals) { operations in
            let link = try early ?? GivenLink(StandardInput.link(), by: context.links)
            let action = try link.read(by: context.links).acting()
            let dialogue = try await operations.dialogue(
                claiming: link, named: connection, isRequest: action.isRequest, isAgreed: yes,
                before: context.prompts.audience)
            let chosen = try context.prompts.walk(dialogue)
            let claim = ClaimRequest(link: link, connection: chosen.name, clicked: isClicked && action.isRequest)
            let answer = try await operations.perform(ApprovalVerbs.claim, claim)
            let hasAgent = operations.locksItself
            let showsCard = context.terminal.isInteractive || (context.prompts.opensWindows && !hasAgent)
            switch dialogue.sequel(answer, showsCard: showsCard, hasAgent: hasAgent) {
            case .decide(let ref): return try await decide(ref, operations, context)
            case .end(let failure): throw failure
            case .listed:
                try options.render(answer)
                return .listed
            case .announced: try options.render(answer)
            case .settled:
                try options.render(answer)
                await goBack(action, context)
            }
            return .claimed(answer)
        }
    }

    private func decide(
        _ ref: String, _ operations: Carrier<any ApprovalHost>, _ context: Context
    ) async throws -> Done {
        let card = try await operations.perform(ApprovalVerbs.authorization, on: ref, CardOptions())
        let answering = Answering(operations: operations, context: context, position: nil, waits: true)
        var fatigue = FatigueGuard()
        let (decision, failure) = await answering.answer(.init(.approve, on: card), &fatigue)
        if let failure, !options.json { Terminal.say(failure) }
        try options.render(DecisionsPayload(decisions: [decision]))
        if failure == nil { await context.offerReturn(of: card) }
        return .decided(decision, failure)
    }

    /// Opens the page again when nothing is left to decide, but only an address that we would call ourselves
    /// (saltedge-v1 section 9.4).
    private func goBack(_ action: ActionLink, _ context: Context) async {
        guard context.terminal.isInteractive, let text = action.returnTo?.untrusted, let page = try? WebAddress(text)
        else { return }
        await Terminal.visit(PageAddress(page))
    }
}
