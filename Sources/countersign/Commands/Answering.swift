import Agent
import Authenticator
import CTerminal
import Display
import FoundationEssentials
import Glibc
import SCA

/// One decision from the card to the outcome, as `approve`, `deny` and `watch` all take it.
struct Answering: Sendable {
    let session: Session
    let context: Context
    /// The position that was given; else the settings' for the connection counts.
    let position: Geolocation?
    /// Whether the bank's final word is awaited.
    let waits: Bool

    /// Shows the card (unless it stands there already: `isShown`), asks, decides. `isRepetition`: the same was approved a
    /// moment ago, so approving takes its amount too.
    func answer(
        _ verdict: Verdict, to item: Inbox.Item, isShown: Bool = false, isRepetition: Bool = false
    ) async -> (DecisionPayload, Failure?) {
        let fingerprint = item.authorization.fingerprint
        do {
            let decided = try await decide(verdict, item, isShown, isRepetition)
            if let error = decided.unrecorded {
                Terminal.say("warning: the outcome could not be written down: \(Failure(error).message)")
            }
            let failure = failure(of: decided)
            return (
                DecisionPayload(item.reference, verdict, decided, fingerprint: fingerprint, failure: failure), failure
            )
        } catch {
            let failure = Failure(error)
            let now = context.clock.now()
            if let served = (error as? DecisionError)?.now, context.terminal.isInteractive {
                Card(served, of: item.connection).present(at: now)
            }
            return (
                DecisionPayload(item.reference, verdict, fingerprint: fingerprint, at: now, failure: failure), failure
            )
        }
    }

    private func decide(
        _ verdict: Verdict, _ item: Inbox.Item, _ isShown: Bool, _ isRepetition: Bool
    ) async throws -> Decided {
        let deciding = Deciding(session)
        guard item.authorization.status == .pending else { throw DecisionError(.gone) }
        if verdict == .approve, item.authorization.isExpired(at: context.clock.now()) { throw DecisionError(.expired) }
        let position = position ?? context.settings.geolocation[item.connection.name.text]
        if verdict == .approve, item.connection.geolocationRequired == true, position == nil {
            throw DecisionError(.geolocationRequired)
        }
        let card = Card(item.authorization, of: item.connection)
        let shown = try deciding.show(item.authorization, of: item.connection) { _, _ in
            if context.terminal.isInteractive, !isShown { card.present(at: context.clock.now()) }
            return card.shown
        }
        let requester = Requester.current()
        switch verdict {
        case .approve:
            if isRepetition { try askAgain(card) }
            if card.needsTypedTitle { try askForTitle(card) }
            let proof = try context.withPIN(for: .approve(card)) { pin, source in
                try deciding.prove(pin, from: source, at: context.gate, for: shown)
            }
            return try await uninterrupted {
                try await deciding.approve(shown, proof: proof, at: position, by: requester, waiting: waiting)
            }
        case .deny:
            let question = PinentryQuestion(
                "Deny what a bank asks?", details: PINPurpose.details(of: card), ok: "Deny")
            if context.prompts.canAsk, try !context.prompts.confirm("Deny this?", question) { throw Failure.cancelled }
            return try await uninterrupted {
                try await deciding.deny(shown, at: position, by: requester, waiting: waiting)
            }
        }
    }

    /// Nothing displayable remained but the title: approving it asks for the title, so that it was read.
    private func askForTitle(_ card: Card) throws {
        guard context.terminal.isInteractive else { return }
        let typed = try context.terminal.line("The bank shows nothing but a title. Type the title to go on: ")
        guard card.isTitle(typed) else { throw Failure.cancelled }
    }

    /// A second yes to the same within minutes may be a habit; what is typed was read. Without an amount it is the title.
    private func askAgain(_ card: Card) throws {
        let amount = card.fields["amount"]
        let name = amount == nil ? "title" : "amount"
        let typed = try context.terminal.line(
            "You approved the same a few minutes ago. Type the \(name) to approve it again: ")
        guard amount.map({ DisplayText(typed).line == $0 }) ?? card.isTitle(typed) else {
            throw Failure(.cancelled, "that is not the \(name); nothing was sent")
        }
    }

    /// A request that has left must not be abandoned by ctrl-c: the interrupt waits until the answer is recorded, but ends
    /// the wait for the bank's final word.
    private func uninterrupted<R>(_ body: () async throws -> R) async throws -> R {
        countersign_interrupts_hold(1)
        defer { countersign_interrupts_hold(0) }
        return try await body()
    }

    private var waiting: Deciding.Waiting {
        let isTalking = context.terminal.isInteractive && !context.options.json && !context.options.quiet
        var waiting = Deciding.Waiting(isOn: waits, interval: 1, limit: 120) { waited in
            if isTalking, waited == 0 { Terminal.say("Waiting for the bank …") }
        }
        waiting.isGivenUp = { countersign_interrupted() != 0 }
        return waiting
    }

    private func failure(of decided: Decided) -> Failure? {
        let cause = decided.error.map { Failure($0) }
        switch decided.outcome {
        case .confirmed, .denied: return nil
        case .processing:
            return waits
                ? Failure(
                    .unknown, "the bank is still working on it", hint: "countersign history tells the outcome later")
                : nil
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

extension Card {
    /// Writes the whole card to the terminal.
    func present(at now: Date) {
        let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
        Terminal.say(lines(at: now, width: Terminal.columns, style: style).joined(separator: "\n"))
    }
}

extension Geolocation {
    /// What `--geolocation` says; nil when it was not given.
    static func option(_ text: String?) throws -> Geolocation? {
        guard let text else { return nil }
        guard let position = Geolocation(text) else {
            throw Failure.usage(
                "this is not a position", hint: "decimal degrees, for example: --geolocation 48.137154,11.576124")
        }
        return position
    }
}
