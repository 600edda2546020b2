import Client
import Approvals
import Basics
import CTerminal
import Dialogue
import ApprovalModel

/// Carries the dialogues of decisions to the terminal, or to a pinentry, for `approve`, `deny`, `act` and `watch`.
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
    /// Whether `--yes` answers a caution; never the one before the last attempt.
    var heedsCaution = false
    /// Whether a single key started it. Then a yes is asked for even if a PIN file would answer at once.
    var isByKey = false
    /// The events that somebody reads already; nil if nobody does.
    var events: IncomingEvents?

    /// Carries out all decisions of a series. `show` gets each result. `fatigue` remembers earlier approvals.
    func carry(
        _ series: DecisionSeries, _ fatigue: inout FatigueGuard, _ show: (DecisionPayload, Failure?) -> Void
    ) async -> DecisionSeries.End {
        var series = series
        var next = series.next()
        while true {
            let event: DecisionSeries.Event
            switch next {
            case .ask(let ask):
                do { event = .answer(try context.prompts.answer(ask)) } catch { event = .unasked(Failure(error)) }
            case .decide(let decision):
                let (payload, failure) = await answer(decision, &fatigue)
                show(payload, failure)
                event = .decided(failure)
            case .revoke(let name):
                await revoke(name.text)
                event = .revoked
            case .end(let end): return end
            }
            next = series.next(event, isInterrupted: countersign_interrupted() != 0)
        }
    }

    /// Shows the card (on the terminal unless it is shown already), asks, decides.
    func answer(
        _ decision: DecisionSeries.Decision, _ fatigue: inout FatigueGuard
    ) async -> (DecisionPayload, Failure?) {
        let (verdict, card) = (decision.verdict, decision.card)
        let result: (payload: DecisionPayload, failure: Failure?)
        do {
            if decision.reason == nil { warnIfNotTold(reason, card) }
            var past = DecisionPast()
            if verdict == .approve {
                let entries = await operations.entries(about: card, by: context.clock)
                past = DecisionPast(of: card, entries, &fatigue, by: context.clock)
            }
            let payload = try await withWindows(about: card) { try await $0.decide(decision, past) }
            if let warning = payload.warning { Terminal.say("warning: \(warning)") }
            result = (payload, payload.error?.failure)
        } catch {
            let failure = Failure(error)
            if failure.kind == .changed { await showAnew(card) }
            let payload = DecisionPayload(
                card.reference, verdict, fingerprint: card.fingerprint, at: context.clock.now(), failure: failure)
            result = (payload, failure)
        }
        fatigue.decided(verdict, on: card, result.failure, at: context.clock.moment())
        return result
    }

    private func decide(_ decision: DecisionSeries.Decision, _ past: DecisionPast) async throws -> DecisionPayload {
        let (verdict, card) = (decision.verdict, decision.card)
        let position = position ?? context.settings.geolocation[card.connection.text]
        let terms = DecisionDialogue.Terms(
            hasPosition: position != nil, option: option, acceptsCaution: heedsCaution, isAgreed: decision.isAgreed,
            hasPIN: context.options.effectivePINFile != nil, isByKey: isByKey)
        let dialogue = DecisionDialogue(
            verdict, on: card, terms, past, before: context.prompts.audience, at: context.clock.now())
        let (option, recap) = try context.walk(dialogue, isShown: decision.isShown)
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: position, waits: waits, option: option,
            reason: decision.reason ?? reason)
        guard dialogue.takesPIN else {
            return try await context.uninterrupted(talks: waits) {
                try await operations.deny(request, pin: nil, from: .person, isGivenUp: context.isGivenUp)
            }
        }
        if operations.locksItself { try context.readyKeyring() }
        return try await context.withPIN(for: .decision(verdict, card, choosing: option), recap: recap) { pin, source in
            try await context.uninterrupted(talks: waits) {
                verdict == .approve
                    ? try await operations.approve(request, pin: pin, from: source, isGivenUp: context.isGivenUp)
                    : try await operations.deny(request, pin: pin, from: source, isGivenUp: context.isGivenUp)
            }
        }
    }

    private func withWindows<R>(about card: Card, _ body: (Answering) async throws -> R) async throws -> R {
        guard context.prompts.opensWindows else { return try await body(self) }
        let windows = DecisionWindows(card, context.clock)
        var answering = self
        answering.context.prompts.windows = windows
        return try await windows.open(operations, events) { [answering] in try await body(answering) }
    }

    /// Shows the bank's present content, after it turned out to differ from the seen content.
    private func showAnew(_ card: Card) async {
        guard context.terminal.isInteractive,
            let served = try? await operations.perform(ApprovalVerbs.authorization, on: card.reference, CardOptions())
        else { return }
        served.present(at: context.clock.now())
    }

    /// Warns if the bank takes no reason for a denial.
    private func warnIfNotTold(_ reason: DenialReason?, _ card: Card) {
        guard let reason, !card.denialReasons.contains(reason), !context.options.quiet else { return }
        Terminal.say("warning: \(card.reference): \(Card.untold)")
    }

    private func revoke(_ name: String) async {
        do {
            _ = try await operations.perform(ApprovalVerbs.revoke, on: name, RevokeOptions(localOnly: false))
            Terminal.say("Revoked: \(name)")
        } catch {
            Terminal.say(Failure(error))
        }
    }
}
