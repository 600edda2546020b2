import Authenticator
import Basics
import CTerminal
import Display
import FoundationEssentials
import Glibc
import Pinentry
import SCA

/// One decision from the card to the outcome, as `approve`, `deny` and `watch` make it.
struct Answering: Sendable {
    let operations: any Operations
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

    /// Shows the card (unless `isShown`), asks, decides. `isRepetition`: the same was approved a moment ago, so
    /// approving takes its amount too.
    func answer(
        _ verdict: Verdict, to card: Card, isShown: Bool = false, isRepetition: Bool = false
    ) async -> (DecisionPayload, Failure?) {
        do {
            let decision = try await withWindows(about: card) {
                try await $0.decide(verdict, card, isShown, isRepetition)
            }
            if let warning = decision.warning { Terminal.say("warning: \(warning)") }
            return (decision, decision.error?.failure)
        } catch {
            let failure = Failure(error)
            if failure.kind == .changed { await showAnew(card) }
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
                        try await operations.card(card.reference, abbreviated: false, withSource: false)
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
        _ verdict: Verdict, _ card: Card, _ isShown: Bool, _ isRepetition: Bool
    ) async throws -> DecisionPayload {
        guard card.isPending else { throw card.isProcessing ? Failure.underWay : .gone }
        let now = context.clock.now()
        let position = position ?? context.settings.geolocation[card.connection.text]
        if verdict == .approve || card.denialNeedsPIN, card.isExpired(at: now) { throw Failure.expired }
        if verdict == .approve, card.needsPosition, position == nil { throw Failure.needsPosition }
        let isPaged = try context.terminal.isInteractive && !isShown && !present(card, verdict, isRepetition, at: now)
        // Whether the card may be out of sight when the PIN, or a yes, is asked for.
        let isFar = isPaged || isShown || verdict == .approve && asksMore(card, isRepetition)
        let recap = isFar ? card.recap(within: Terminal.columns - 1) : []
        var request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: position, waits: waits, option: option,
            reason: reason)
        switch verdict {
        case .approve:
            guard try context.prompts.show(card, to: verdict, at: now) else { throw Failure.cancelled }
            if isRepetition { try askAgain(card) }
            if card.needsTypedTitle { try askForTitle(card) }
            if let caution = card.caution { try heed(caution, of: card) }
            if let options = card.options { request.option = try await choose(among: options, of: card) }
            if isByKey, context.options.effectivePINFile != nil,
                try !context.terminal.confirm("Approve this?", below: recap)
            {
                throw Failure.cancelled
            }
            if operations.locksItself { try context.readyKeyring() }
            let purpose = PINPurpose.approve(card, choosing: request.option)
            return try await context.withPIN(for: purpose, recap: recap) { [request] pin, source in
                try await uninterrupted {
                    try await operations.approve(
                        request, pin: pin, from: source, isGivenUp: isGivenUp)
                }
            }
        case .deny where card.denialNeedsPIN:
            guard try context.prompts.show(card, to: verdict, at: now) else { throw Failure.cancelled }
            if context.options.effectivePINFile != nil, context.prompts.canAsk,
                try !context.terminal.confirm("Deny this?", below: recap)
            {
                throw Failure.cancelled
            }
            if operations.locksItself { try context.readyKeyring() }
            return try await context.withPIN(for: .deny(card), recap: recap) { [request] pin, source in
                try await uninterrupted {
                    try await operations.deny(request, pin: pin, from: source, isGivenUp: isGivenUp)
                }
            }
        case .deny:
            let question = PinentryQuestion.deny(card, PINPurpose.asker)
            if context.prompts.canAsk, !isDenialAgreed,
                try !context.prompts.confirm("Deny this?", below: recap, question)
            {
                throw Failure.cancelled
            }
            return try await uninterrupted { [request] in
                try await operations.deny(request, pin: nil, from: .person, isGivenUp: isGivenUp)
            }
        }
    }

    /// Shows the card on the terminal. Returns whether all of it is in sight when a question follows there.
    private func present(_ card: Card, _ verdict: Verdict, _ isRepetition: Bool, at now: Date) throws -> Bool {
        let isPINTyped = context.options.effectivePINFile == nil && !context.prompts.opensWindows
        let asks =
            verdict == .deny
            ? !isDenialAgreed || card.denialNeedsPIN : isPINTyped || isByKey || asksMore(card, isRepetition)
        guard asks else {
            card.present(at: now)
            return true
        }
        return try context.terminal.show { card.drawn(at: now) }
    }

    /// Whether more than the PIN is asked for before an approval.
    private func asksMore(_ card: Card, _ isRepetition: Bool) -> Bool {
        isRepetition || card.needsTypedTitle || card.caution != nil || card.options != nil
    }

    /// The named option, or the one that the person types; none is preselected. If the bank refused a choice before,
    /// asks for a second yes first.
    private func choose(among options: [String], of card: Card) async throws -> String {
        guard !options.isEmpty else { throw Failure.onlyDenial.naming(reference: card.reference) }
        if let option, !options.contains(option) {
            throw Failure(DecisionError(.noSuchOption)).naming(reference: card.reference)
        }
        guard context.prompts.canAsk else {
            guard let option else { throw Failure.needsOption.naming(reference: card.reference) }
            return option
        }
        let known = HistoryRequest(connection: card.connection.text, since: nil, limit: nil, isVerified: false)
        let refusals = ((try? await operations.history(known))?.decisions ?? []).refusals(of: card.fingerprint)
        guard refusals < Deciding.mostRefusals else { throw Failure.onlyDenial.naming(reference: card.reference) }
        if refusals > 0 {
            let words = "What you chose was not accepted; after another wrong one this can only be denied."
            guard try context.prompts.confirm(words + " Go on?", .approveAfterRefusal(card, PINPurpose.asker)) else {
                throw Failure.cancelled
            }
        }
        return try option ?? context.prompts.option(of: card, among: options)
    }

    /// Whether to stop waiting for the bank's final answer.
    private var isGivenUp: @Sendable () -> Bool {
        { [context] in countersign_interrupted() != 0 || context.isRecalled() }
    }

    /// Asks whether to go on, since the bank counts wrong responses, and the last one was wrong.
    private func heed(_ caution: Caution, of card: Card) throws {
        if caution == .mayBlock, heedsCaution { return }
        let words = caution.words
        guard context.prompts.canAsk else {
            throw Failure.usage(
                words.prefix(1).lowercased() + words.dropFirst().dropLast(),
                hint: caution == .lastAttempt ? "approve it on a terminal" : "add --yes when this is right")
        }
        guard try context.prompts.confirm(words + " Go on?", .approveInspite(of: caution, card, PINPurpose.asker))
        else { throw Failure.cancelled }
    }

    /// Shows the bank's present content if it is not what was seen.
    private func showAnew(_ card: Card) async {
        guard context.terminal.isInteractive,
            let served = try? await operations.card(card.reference, abbreviated: false, withSource: false)
        else { return }
        served.present(at: context.clock.now())
    }

    /// Asks for the title if the card warns that it does not show everything, or nothing but the title. This proves
    /// that the warning was read. A person who is asked in windows is sent to a terminal; a script that asks nobody has
    /// named the content by its fingerprint.
    private func askForTitle(_ card: Card) throws {
        guard context.terminal.isInteractive else {
            if context.prompts.canAsk { throw Failure.titleNotTyped(card.reference) }
            return
        }
        let typed = try context.terminal.line("Read the warning. Type the title to go on: ")
        guard card.isTitle(typed) else { throw Failure.cancelled }
    }

    /// Asks the person to type the amount, or the title if there is no amount. Approving the same request again within
    /// minutes may be a habit, but what is typed has been read.
    private func askAgain(_ card: Card) throws {
        let name = card.distinction
        let typed = try context.terminal.line(
            "You approved the same a few minutes ago. Type the \(name) to approve it again: ")
        guard card.isDistinction(typed) else {
            throw Failure(.cancelled, "that is not the \(name); nothing was sent")
        }
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
