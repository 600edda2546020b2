import Client
import ArgumentParser
import Approvals
import Basics
import CTerminal
import Dialogue
import Display
import ApprovalModel

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve a bank's request, after its card was shown.",
        usage: "countersign approve <ref> ... [<options>]",
        discussion: """
              countersign approve fernbank:77

            Without a terminal no card is shown, so give the fingerprint of the content that you have seen:

              countersign approve fernbank:77 --fingerprint 3f9a02c177d051be --pin-file pin
            """)

    @Argument(help: DecisionOptions.refHelp, completion: Completing.references) var refs: [String]
    @OptionGroup var decision: DecisionOptions
    @Option(
        help: ArgumentHelp(
            "The option to choose, if the login page shows one of several.", valueName: "text"))
    var option: String?
    @Flag(name: .shortAndLong, help: "Go on without a question even if a wrong response may block the account.")
    var yes = false
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        var decider = try Decider(options, decision, refs, .approve, option: option)
        decider.heedsCaution = yes
        try await decider.run()
    }
}

struct DenyCommand: AsyncParsableCommand {
    /// The raw values of `DenialReason`.
    enum Reason: String, ExpressibleByArgument, CaseIterable {
        case notMe = "not-me"
        case cancelled
    }

    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Deny a bank's request.",
        usage: "countersign deny <ref> ... | --all <name> [<options>]",
        discussion: """
              countersign deny fernbank:78
              countersign deny --all fern --reason not-me

            It asks yes or no after the card. At banks with v2, where a signed denial could be used as an approval, it \
            asks for the PIN.
            """)

    @Argument(help: DecisionOptions.refHelp, completion: Completing.references) var refs: [String] = []
    @OptionGroup var decision: DecisionOptions
    @Option(help: "The reason, if the bank takes one: somebody else began it, or you changed your mind.")
    var reason: Reason?
    @Option(
        help: ArgumentHelp("Deny all requests of this connection, after one question.", valueName: "name"),
        completion: Completing.names)
    var all: String?
    @OptionGroup var options: GlobalOptions

    func run() async throws {
        let reason = reason.flatMap { DenialReason(rawValue: $0.rawValue) }
        guard let all else { return try await Decider(options, decision, refs, .deny, reason: reason).run() }
        guard refs.isEmpty, decision.fingerprint == nil, decision.connection == nil else {
            throw Failure.usage("--all goes with no REF, --fingerprint or --connection", hint: "leave one of them out")
        }
        try await DenyingAll(
            options: options, connection: all, reason: reason, position: Geolocation.option(decision.geolocation),
            waits: !decision.noWait
        ).run()
    }
}

struct DecisionOptions: ParsableArguments {
    static let refHelp = ArgumentHelp(
        "NAME:ID, as pending prints it, or a request's link. - reads a link from standard input, after the PIN if that comes from there too. On a terminal, the ID or its beginning is enough.",
        valueName: "ref")

    @Option(
        help: ArgumentHelp("The connection to use for a link if several match.", valueName: "name"),
        completion: Completing.names)
    var connection: String?

    @Option(help: ArgumentHelp("Refuse unless the content has this fingerprint (16 digits or more).", valueName: "hex"))
    var fingerprint: String?

    @Option(help: ArgumentHelp("Your position in decimal degrees, for banks that require it.", valueName: "lat,lon"))
    var geolocation: String?

    @Flag(help: "Do not wait for the bank's final answer.") var noWait = false
}

/// Decides several authorizations one by one, each with its own card.
struct Decider {
    let options: GlobalOptions
    let decision: DecisionOptions
    let refs: [String]
    let verdict: Verdict
    /// See `Answering.heedsCaution`.
    var heedsCaution = false
    private let option: String?
    private let reason: DenialReason?
    private let position: Geolocation?

    init(
        _ options: GlobalOptions, _ decision: DecisionOptions, _ refs: [String], _ verdict: Verdict,
        option: String? = nil,
        reason: DenialReason? = nil
    ) throws {
        self.options = options
        self.decision = decision
        self.refs = refs
        self.verdict = verdict
        self.option = option
        self.reason = reason
        guard !refs.isEmpty else {
            throw Failure.usage("no REF is given", hint: "list what waits with: countersign pending")
        }
        guard option == nil || refs.count == 1 else {
            throw Failure.usage("--option goes with one REF", hint: "decide them one by one")
        }
        position = try Geolocation.option(decision.geolocation)
        if let claim = decision.fingerprint {
            guard refs.count == 1 else {
                throw Failure.usage("--fingerprint goes with one REF", hint: "decide them one by one")
            }
            let digits = claim.filter { $0 != " " }
            guard (16...64).contains(digits.count), digits.allSatisfy(\.isHexDigit) else {
                throw Failure.usage(
                    "a fingerprint has 16 to 64 hexadecimal digits",
                    hint: "countersign show \(Self.shown(refs)) prints it")
            }
        }
    }

    /// The reference to name in a hint.
    private static func shown(_ refs: [String]) -> String {
        guard refs.count == 1 else { return "REF" }
        return RequestName.isLink(refs[0]) ? "LINK" : DisplayText(BankText(refs[0])).line(within: 120)
    }

    func run() async throws {
        let context = try Context(options)
        if verdict == .approve, decision.fingerprint == nil, !context.terminal.isInteractive {
            throw Failure.usage(
                "no terminal shows the card, so the content must be named",
                hint: "add --fingerprint HEX; countersign show \(Self.shown(refs)) prints it")
        }
        // The PIN could be typed to open the vault, but not to approve.
        if verdict == .approve, options.effectivePINFile == nil, !context.prompts.canAsk, context.terminal.takesSecrets
        {
            throw Failure.needsPIN
        }
        let names = try refs.map { (text: $0, name: try RequestName($0, context)) }
        let fingerprint = verdict == .approve ? decision.fingerprint : nil
        try await context.with(.approvals, fingerprint: fingerprint) { operations in
            var results: [DecisionPayload] = []
            var approved: [Card] = []
            var fatigue = FatigueGuard()
            var round = DecisionRound(
                of: refs.count, hasPIN: options.effectivePINFile != nil, before: context.prompts.audience)
            var next = round.next(isInterrupted: countersign_interrupted() != 0)
            while case .decide(let place) = next {
                let (result, failure, card) = await decide(names[place], operations, context, &fatigue)
                next = round.next(after: failure, isInterrupted: countersign_interrupted() != 0)
                if case .fail(let failure) = next { throw failure }
                results.append(result)
                if let card { approved.append(card) }
                if let failure, !options.json { Terminal.say(failure) }
            }
            try options.render(DecisionsPayload(decisions: results))
            for card in approved { await context.offerReturn(of: card) }
            if case .end(let failure?) = next { throw ExitCode(failure.exitCode) }
        }
    }

    private func decide(
        _ named: (text: String, name: RequestName), _ operations: Carrier<any ApprovalHost>, _ context: Context,
        _ fatigue: inout FatigueGuard
    ) async -> (DecisionPayload, Failure?, approved: Card?) {
        var whole = RequestName.isLink(named.text) ? "" : DisplayText(BankText(named.text)).line(within: 120)
        var fingerprint: Fingerprint?
        do {
            let ref = try await named.name.reference(context, operations, connection: decision.connection)
            let card = try await context.card(named: ref, operations)
            try demandWholeReference(ref, card)
            whole = card.reference
            fingerprint = card.fingerprint
            if let claim = decision.fingerprint, card.fingerprint.matches(claim) != true {
                if context.terminal.isInteractive { card.present(at: context.clock.now()) }
                throw Failure.changed.naming(reference: card.reference)
            }
            let answering = Answering(
                operations: operations, context: context, position: position, waits: !decision.noWait,
                option: option, reason: reason, heedsCaution: heedsCaution)
            let (made, failure) = await answering.answer(.init(verdict, on: card), &fatigue)
            return (made, failure, verdict == .approve && failure == nil ? card : nil)
        } catch {
            let failure = Failure(error)
            let now = context.clock.now()
            return (DecisionPayload(whole, verdict, fingerprint: fingerprint, at: now, failure: failure), failure, nil)
        }
    }

    /// An abbreviated reference is fine for a person, who sees the card before typing the PIN, but not for a PIN file.
    private func demandWholeReference(_ ref: String, _ card: Card) throws {
        guard verdict == .approve, options.effectivePINFile != nil, decision.fingerprint == nil else { return }
        guard let named = Reference(ref), let name = named.connection, let id = named.bankID,
            Reference.text(name, id) == card.reference
        else { throw LookupError.needsWholeReference(ref) }
    }
}

extension Geolocation {
    /// Parses `--geolocation`; nil if it was not given.
    static func option(_ text: String?) throws -> Geolocation? {
        guard let text else { return nil }
        guard let position = Geolocation(text) else {
            throw Failure.usage(
                "this is not a position", hint: "decimal degrees, for example: --geolocation 48.137154,11.576124")
        }
        return position
    }
}
