import Client
import Approvals
import Basics
import CTerminal
import Dialogue
import Display
import FoundationEssentials
import Glibc
import Pinentry
import ApprovalModel

/// Carries the dialogue of one decision to the terminal, or to a pinentry, for `approve`, `deny`, `act` and `watch`.
struct Answering: Sendable {
    let operations: Carrier<any ApprovalHost>
    var context: Context
    /// The position that was given; nil for the connection's position in the settings.
    let position: Geolocation?
    /// Whether to wait for the bank's final answer.
    let waits: Bool
    /// The option that was named; nil to ask the person if approving means choosing.
    var option: String?
    /// Why the person denies.
    var reason: DenialReason?
    /// Whether the person said already that this is to be denied.
    var isDenialAgreed = false
    /// Whether `--yes` answers a caution; never the one before the last attempt.
    var heedsCaution = false
    /// Whether a single key started it. Then a yes is asked for even if a PIN file would answer at once.
    var isByKey = false
    /// The events that somebody reads already; nil if nobody does.
    var events: IncomingEvents?

    /// Shows the card (on the terminal unless `isShown`), asks, decides. `fatigue` remembers earlier approvals.
    func answer(
        _ verdict: Verdict, to card: Card, isShown: Bool = false, _ fatigue: inout FatigueGuard
    ) async -> (DecisionPayload, Failure?) {
        do {
            var past = DecisionPast()
            if verdict == .approve {
                let entries = await operations.entries(about: card, by: context.clock)
                past = DecisionPast(of: card, entries, &fatigue, by: context.clock)
            }
            let decision = try await withWindows(about: card) { try await $0.decide(verdict, card, isShown, past) }
            if let warning = decision.warning { Terminal.say("warning: \(warning)") }
            let failure = decision.error?.failure
            fatigue.decided(verdict, on: card, failure, at: context.clock.moment())
            return (decision, failure)
        } catch {
            let failure = Failure(error)
            if failure.kind == .changed { await showAnew(card) }
            fatigue.decided(verdict, on: card, failure, at: context.clock.moment())
            return (
                DecisionPayload(
                    card.reference, verdict, fingerprint: card.fingerprint, at: context.clock.now(), failure: failure),
                failure
            )
        }
    }

    /// Runs `body` with windows that close when the request no longer needs an answer. To notice that, it polls the
    /// banks meanwhile, as `watch` does.
    private func withWindows<R>(about card: Card, _ body: (Answering) async throws -> R) async throws -> R {
        guard context.prompts.opensWindows else { return try await body(self) }
        let windows = DecisionWindows(card, context.clock)
        var answering = self
        answering.context.prompts.windows = windows
        // An expired request may still be denied, so its windows stay open.
        let timer = Task { if !card.isExpired(at: context.clock.now()) { await windows.closeWhenExpired() } }
        defer { timer.cancel() }
        if let events {
            events.whenTold { windows.take($0) }
            defer { events.whenTold(nil) }
            return try await body(answering)
        }
        let reader = Task { [operations] in
            // If no events can be read, the windows stay open: the decision is checked anyway.
            do {
                let events = try await operations.events()
                for try await event in events {
                    windows.take(event)
                    await windows.look(event) {
                        try await operations.perform(ApprovalVerbs.authorization, on: card.reference, CardOptions())
                    }
                }
            } catch {
                windows.cannotHear(error)
            }
        }
        do {
            let result = try await body(answering)
            reader.cancel()
            await reader.value
            return result
        } catch {
            reader.cancel()
            await reader.value
            throw error
        }
    }

    private func decide(
        _ verdict: Verdict, _ card: Card, _ isShown: Bool, _ past: DecisionPast
    ) async throws -> DecisionPayload {
        let position = position ?? context.settings.geolocation[card.connection.text]
        let isPINGiven = context.options.effectivePINFile != nil
        let terms = DecisionDialogue.Terms(
            hasPosition: position != nil, option: option, acceptsCaution: heedsCaution, isAgreed: isDenialAgreed,
            hasPIN: isPINGiven, isByKey: isByKey)
        let now = context.clock.now()
        var dialogue = DecisionDialogue(verdict, on: card, terms, past, before: context.prompts.audience, at: now)
        // Whether the card may be out of sight when a yes or the PIN is asked for.
        var isFar = isShown || dialogue.asksMore && verdict == .approve
        let asksOnTerminal = dialogue.asksMore || !isPINGiven && !context.prompts.opensWindows
        var next = dialogue.next()
        while case .ask(let ask) = next {
            let recap = isFar ? card.recap(within: Terminal.columns - 1) : []
            if case .card = ask, context.terminal.isInteractive, !isShown {
                isFar = try !present(card, asks: asksOnTerminal, at: now) || isFar
            }
            next = dialogue.next(try context.prompts.answer(ask, on: card, to: verdict, below: recap, at: now))
        }
        switch next {
        case .ask: throw Failure.cancelled
        case .end(let failure): throw failure
        case .decide(let option, let pin):
            let request = DecisionRequest(
                ref: card.reference, fingerprint: card.fingerprint, position: position, waits: waits, option: option,
                reason: reason)
            return try await send(request, verdict, card, takesPIN: pin != nil, isFar: isFar)
        }
    }

    /// Sends the decision, with the PIN if the dialogue ends with that.
    private func send(
        _ request: DecisionRequest, _ verdict: Verdict, _ card: Card, takesPIN: Bool, isFar: Bool
    ) async throws -> DecisionPayload {
        guard takesPIN else {
            return try await uninterrupted {
                try await operations.deny(request, pin: nil, from: .person, isGivenUp: isGivenUp)
            }
        }
        if operations.locksItself { try context.readyKeyring() }
        let recap = isFar ? card.recap(within: Terminal.columns - 1) : []
        return try await context.withPIN(for: .decision(verdict, card, choosing: request.option), recap: recap) {
            pin, source in
            try await uninterrupted {
                verdict == .approve
                    ? try await operations.approve(request, pin: pin, from: source, isGivenUp: isGivenUp)
                    : try await operations.deny(request, pin: pin, from: source, isGivenUp: isGivenUp)
            }
        }
    }

    /// Shows the card on the terminal. Returns whether all of it is in sight when a question follows there (`asks`).
    private func present(_ card: Card, asks: Bool, at now: Date) throws -> Bool {
        guard asks else {
            card.present(at: now)
            return true
        }
        return try context.terminal.show { card.drawn(at: now) }
    }

    /// Whether to stop waiting for the bank's final answer.
    private var isGivenUp: @Sendable () -> Bool {
        { [context] in countersign_interrupted() != 0 || context.isRecalled() }
    }

    /// Shows the bank's present content, after it turned out to differ from the seen content.
    private func showAnew(_ card: Card) async {
        guard context.terminal.isInteractive,
            let served = try? await operations.perform(ApprovalVerbs.authorization, on: card.reference, CardOptions())
        else { return }
        served.present(at: context.clock.now())
    }

    /// Holds ctrl-c back, so that a request that was sent is not abandoned before its answer is recorded. An interrupt
    /// still ends the wait for the bank's final answer.
    private func uninterrupted<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        countersign_interrupts_hold(1)
        defer { countersign_interrupts_hold(0) }
        let isTalking = context.terminal.isInteractive && !context.options.json && !context.options.quiet && waits
        let notice = Task {
            try await Task.sleep(for: .seconds(1))
            if isTalking { Terminal.say("Waiting for the bank …") }
        }
        defer { notice.cancel() }
        return try await body()
    }
}

extension Card {
    /// How to deny all that waits at this connection, where too many wait at once.
    var crowdHint: String? {
        crowdWarning.map { _ in "hint: to deny them all: countersign deny --all \(connection.text) --reason not-me" }
    }

    /// The lines of the whole card for the terminal.
    func drawn(at now: Date) -> [String] {
        let style: Style = Terminal.allowsColour(on: STDERR_FILENO) ? .ansi : .plain
        return lines(at: now, width: Terminal.columns, style: style) + (crowdHint.map { [$0] } ?? [])
    }

    /// Writes the whole card to the terminal, where no question follows.
    func present(at now: Date) {
        for line in drawn(at: now) { Terminal.say(line) }
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
