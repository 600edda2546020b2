import ArgumentParser
import Authenticator
import CTerminal
import Display
import FoundationEssentials
import Glibc
import SCA

struct ApproveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "approve", abstract: "Approve what a bank asks, after its card was shown.",
        usage: "countersign approve <ref> ... [<options>]",
        discussion: """
              countersign approve fernbank:77

            Without a terminal nobody sees the card, so name the content that you have seen:

              countersign approve fernbank:77 --fingerprint 3f9a02c177d051be --pin-file pin
            """)

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws { try await Decider(options, decision, .approve).run() }
}

struct DenyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deny", abstract: "Deny what a bank asks.", usage: "countersign deny <ref> ... [<options>]",
        discussion: "  countersign deny fernbank:78")

    @OptionGroup var decision: DecisionOptions
    @OptionGroup var options: GlobalOptions

    func run() async throws { try await Decider(options, decision, .deny).run() }
}

struct DecisionOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("NAME:ID, as pending prints it.", valueName: "ref")) var refs: [String]

    @Option(help: ArgumentHelp("Refuse unless the content has this fingerprint (16 digits or more).", valueName: "hex"))
    var fingerprint: String?

    @Option(help: ArgumentHelp("Your position in decimal degrees, for banks that want it.", valueName: "lat,lon"))
    var geolocation: String?

    @Flag(help: "Do not wait for the bank's final word.") var noWait = false
}

/// Decides several authorizations one by one, each with its own card.
struct Decider {
    let options: GlobalOptions
    let decision: DecisionOptions
    let verdict: Verdict
    private let position: Geolocation?

    init(_ options: GlobalOptions, _ decision: DecisionOptions, _ verdict: Verdict) throws {
        self.options = options
        self.decision = decision
        self.verdict = verdict
        if let text = decision.geolocation {
            guard let position = Geolocation(text) else {
                throw Failure.usage(
                    "this is not a position", hint: "decimal degrees, for example: --geolocation 48.137154,11.576124")
            }
            self.position = position
        } else {
            position = nil
        }
        if let claim = decision.fingerprint {
            guard decision.refs.count == 1 else { throw Failure.usage("--fingerprint goes with one REF") }
            let digits = claim.filter { $0 != " " }
            guard (16...64).contains(digits.count), digits.allSatisfy(\.isHexDigit) else {
                throw Failure.usage(
                    "a fingerprint has 16 to 64 hexadecimal digits", hint: "countersign show REF prints it")
            }
        }
    }

    func run() async throws {
        let context = try Context(options)
        if verdict == .approve, decision.fingerprint == nil, !context.terminal.isInteractive {
            throw Failure.usage(
                "no terminal shows the card, so the content must be named",
                hint: "add --fingerprint HEX; countersign show REF prints it")
        }
        try await context.withSession { session in
            var results: [DecisionPayload] = []
            var firstFailure: Failure?
            for ref in decision.refs {
                let (result, failure) = await decide(ref, session, context)
                results.append(result)
                guard let failure else { continue }
                firstFailure = firstFailure ?? failure
                if !options.json { Terminal.say(failure.text) }
                if failure.kind == .cancelled, context.terminal.isInteractive { break }
            }
            try options.render(DecisionsPayload(decisions: results))
            if let firstFailure { throw ExitCode(firstFailure.exitCode) }
        }
    }

    private func decide(_ ref: String, _ session: Session, _ context: Context) async -> (DecisionPayload, Failure?) {
        var whole = DisplayText(BankText(ref)).line(within: 120)
        var fingerprint: Fingerprint?
        do {
            let item = try await Lookup(session: session, context: context).item(ref)
            whole = item.reference
            fingerprint = item.authorization.fingerprint
            let decided = try await answer(item, session, context)
            if let error = decided.unrecorded {
                Terminal.say("warning: the outcome could not be written down: \(Failure(error).message)")
            }
            let failure = failure(of: decided)
            return (
                DecisionPayload(
                    whole, verdict, decided, fingerprint: item.authorization.fingerprint, failure: failure), failure
            )
        } catch {
            let failure = Failure(error)
            let now = context.clock.now()
            return (DecisionPayload(whole, verdict, fingerprint: fingerprint, at: now, failure: failure), failure)
        }
    }

    private func answer(_ item: Inbox.Item, _ session: Session, _ context: Context) async throws -> Decided {
        let deciding = Deciding(session)
        if let claim = decision.fingerprint, item.authorization.fingerprint.matches(claim) != true {
            throw DecisionError(.changed, now: item.authorization)
        }
        guard item.authorization.status == .pending else { throw DecisionError(.gone) }
        if verdict == .approve, item.authorization.isExpired(at: context.clock.now()) { throw DecisionError(.expired) }
        let position = position ?? context.settings.geolocation[item.connection.name.text]
        if verdict == .approve, item.connection.geolocationRequired == true, position == nil {
            throw DecisionError(.geolocationRequired)
        }
        let card = Card(item.authorization, of: item.connection)
        let shown = try deciding.show(item.authorization, of: item.connection) { _, _ in
            if context.terminal.isInteractive { present(card, at: context.clock.now()) }
            return card.shown
        }
        let waiting = waiting(for: context)
        let requester = Requester.current()
        switch verdict {
        case .approve:
            if card.needsTypedTitle { try askForTitle(card, context) }
            let (pin, source) = try context.pin("PIN to approve (empty cancels): ")
            let proof = try deciding.prove(pin, from: source, at: context.gate, for: shown)
            return try await uninterrupted {
                try await deciding.approve(shown, proof: proof, at: position, by: requester, waiting: waiting)
            }
        case .deny:
            if context.terminal.isInteractive, try !context.terminal.confirm("Deny this?") { throw Failure.cancelled }
            return try await uninterrupted {
                try await deciding.deny(shown, at: position, by: requester, waiting: waiting)
            }
        }
    }

    private func present(_ card: Card, at now: Date) {
        let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
        Terminal.say(card.lines(at: now, width: Terminal.columns, style: style).joined(separator: "\n"))
    }

    /// Nothing displayable remained but the title: approving it asks for the title, so that it was read.
    private func askForTitle(_ card: Card, _ context: Context) throws {
        guard context.terminal.isInteractive else { return }
        let typed = try context.terminal.line("The bank shows nothing but a title. Type the title to go on: ")
        guard card.isTitle(typed) else { throw Failure.cancelled }
    }

    /// A request that has left must not be abandoned by ctrl-c: the interrupt waits until the answer is recorded.
    private func uninterrupted<R>(_ body: () async throws -> R) async throws -> R {
        countersign_interrupts_hold(1)
        defer { countersign_interrupts_hold(0) }
        return try await body()
    }

    private func waiting(for context: Context) -> Deciding.Waiting {
        let isTalking = context.terminal.isInteractive && !options.json && !options.quiet
        return Deciding.Waiting(isOn: !decision.noWait, interval: 1, limit: 120) { waited in
            if isTalking, waited == 0 { Terminal.say("Waiting for the bank …") }
        }
    }

    private func failure(of decided: Decided) -> Failure? {
        let cause = decided.error.map { Failure($0) }
        switch decided.outcome {
        case .confirmed, .denied: return nil
        case .processing:
            return decision.noWait
                ? nil
                : Failure(
                    .unknown, "the bank is still working on it", hint: "countersign history tells the outcome later")
        case .refused where cause?.kind == .unreachable: return cause
        case .refused:
            return Failure(
                .refused, cause?.message ?? "the bank did not accept the decision",
                hint: cause?.hint ?? "countersign pending")
        case .expired:
            return Failure(
                .expired, cause?.message ?? "it was over at the bank before the decision came",
                hint: "ask the bank to send it again")
        case .unknown:
            return Failure(
                .unknown, (cause?.message ?? "no answer came") + "; whether it counts is not known",
                hint: "it shows at the next: countersign pending, then countersign history")
        }
    }
}
