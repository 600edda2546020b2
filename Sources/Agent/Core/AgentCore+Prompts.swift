import Authenticator
import Basics
import Display
import FoundationEssentials
import Pinentry
import SCA
import SCACrypto

/// Questions that the agent asks by itself: for front ends that may not see the PIN, and for notifications.
extension AgentCore {
    /// What a PIN is asked for.
    enum Purpose {
        case unlock
        /// Names the authorization, whose whole card was shown before.
        case approve(Card)
        case deny(Card)

        var card: Card? {
            switch self {
            case .unlock: nil
            case .approve(let card), .deny(let card): card
            }
        }

        func question(_ asker: DisplayText) -> PinentryQuestion {
            switch self {
            case .unlock: .unlock(asker)
            case .approve(let card): .approve(card, asker)
            case .deny(let card): .denyByPIN(card, asker)
            }
        }
    }

    /// Asks for the PIN, at most thrice while it is wrong, and hands it to `use`. Throws a failure of kind `cancelled` when
    /// none is typed.
    func askForPIN<R: Sendable>(
        _ purpose: Purpose, _ caller: CallerContext, _ use: (LockedBytes) async throws -> R
    ) async throws -> R {
        let asker = try await asker(for: caller, about: purpose.card)
        var question = purpose.question(caller.requester.words)
        for attempt in 1... {
            if let warning = try parts.gate.status().warning() { question.error = DisplayText(warning) }
            let asked = question
            guard let pin = try await asking(caller, about: purpose.card, { try await asker.askPIN(asked) }) else {
                throw Failure.cancelled
            }
            // The caller may have left while the PIN was typed; then nobody waits for the result.
            guard !caller.hasLeft else { throw Failure.cancelled }
            do {
                return try await use(pin)
            } catch {
                let failure = Failure(error)
                guard failure.mayTryAgain, attempt < 3 else { throw failure }
                question.error = DisplayText(failure.message)
            }
        }
        throw Failure.cancelled
    }

    /// A second yes to the same request within minutes may be a habit, so the person types the amount, or the title where there
    /// is no amount: what is typed has been read.
    func askAgain(_ card: Card, _ caller: CallerContext) async throws {
        let asker = try await asker(for: caller, about: card)
        let question = PinentryQuestion.approveAgain(card, caller.requester.words)
        let typed = try await asking(caller, about: card) { try await asker.askPIN(question) }
        let words = typed?.withBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        guard card.isDistinction(words) else {
            throw Failure(.cancelled, "that is not the \(card.distinction); nothing was sent")
        }
    }

    /// The option that the person chooses, where approving means to choose one; `named` is what the caller named. What was not
    /// accepted before takes a second yes.
    func option(
        _ named: String?, of card: Card, after entries: [DecisionEntry], _ caller: CallerContext
    ) async throws -> String? {
        guard let options = card.options else { return named }
        let refusals = entries.refusals(of: card.fingerprint)
        guard !options.isEmpty, refusals < Deciding.mostRefusals else {
            throw Failure.onlyDenial.naming(reference: card.reference)
        }
        let pinentry = try await pinentry(for: caller, about: card)
        if refusals > 0 {
            let question = PinentryQuestion.approveAfterRefusal(card, caller.requester.words)
            guard try await asking(caller, about: card, { try pinentry.confirm(question, cancellation: $0) }) else {
                throw Failure.cancelled
            }
        }
        if let named { return named }
        var question = PinentryQuestion.choose(card, options, caller.requester.words)
        for _ in 1...3 {
            let asked = question
            guard let typed = try await asking(caller, about: card, { try pinentry.pin(asked, cancellation: $0) })
            else { throw Failure.cancelled }
            if let option = card.option(typed: typed.withBytes { String(decoding: $0, as: UTF8.self) }) {
                return option
            }
            question.error = DisplayText("That is none of them")
        }
        throw Failure.cancelled
    }

    /// Shows the whole card before a PIN is asked for it, whoever asks: a front end may have shown something else.
    func show(_ card: Card, to verdict: Verdict, _ caller: CallerContext) async throws {
        let asker = try await asker(for: caller, about: card)
        for page in PinentryQuestion.pages(of: card, to: verdict, caller.requester.words, at: parts.clock.now()) {
            guard try await asking(caller, about: card, { try await asker.askYesOrNo(page) }) else {
                throw Failure.cancelled
            }
        }
        if caller.isPerson { use() }
    }

    /// The person pressed Unlock on a notification.
    public func unlockForNotification() async throws {
        _ = try await unlock(nil, from: .person, for: .notification)
    }

    /// The person pressed Review on a notification: shows the whole card, page by page, then takes the PIN.
    ///
    /// - Parameter key: what the notification was announced as.
    /// - Returns: whether it is decided, and all is well.
    public func review(_ key: String) async throws -> Bool {
        guard case .open(let open) = tick() else { throw Self.isLocked }
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        return try await approve(request, pin: nil, from: .person, for: .notification).error == nil
    }

    /// The person pressed Deny on a notification that showed what has this fingerprint, in hexadecimal digits. Where that takes
    /// the PIN, the whole card comes first, as for Review.
    ///
    /// - Returns: whether it is decided, and all is well.
    public func deny(_ key: String, showing fingerprint: String) async throws -> Bool {
        guard case .open(let open) = tick() else { throw Self.isLocked }
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        guard card.fingerprint.hex == fingerprint else { throw Failure.changed.naming(reference: card.reference) }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        return try await deny(request, pin: nil, from: .person, for: .notification).error == nil
    }

    /// Tells how a decision ended that the person made outside of any front end. Without a word where the person cancelled it;
    /// what fails for a notification is told where that is heard.
    func telling(
        _ card: Card?, _ caller: CallerContext, _ decide: () async throws -> DecisionPayload
    ) async throws -> DecisionPayload {
        do {
            let decision = try await decide()
            // An alarm is told as one.
            if !decision.alarm { parts.announcer.tell(.decided(decision), of: card) }
            return decision
        } catch {
            let failure = Failure(error)
            if let outcome = closedWindow(failure) {
                parts.announcer.tell(outcome, of: card)
                // It was told: who heard the button has nothing to add.
                throw caller.isNotification ? Failure.cancelled : failure
            }
            if failure.kind != .cancelled, !caller.isNotification { parts.announcer.tell(.failed(failure), of: card) }
            throw error
        }
    }

    /// Throws where it cannot appear, naming the command that asks on a terminal.
    private func asker(for caller: CallerContext, about card: Card?) async throws -> any Asking {
        guard caller.mayAsk, let asker = await parts.asker(caller.prompt.environment, caller.prompt.tty) else {
            throw Failure(
                .locked, "the PIN is needed, and there is nowhere to ask for it",
                hint: card.map { "countersign approve \($0.reference)" } ?? "countersign unlock")
        }
        return asker
    }

    /// One question at a time: nobody can tell which of two windows he answers. It leaves when nobody waits for it any more, and
    /// does not come where nobody does. One about an authorization leaves too when that waits no more.
    private func asking<R: Sendable>(
        _ caller: CallerContext, about card: Card? = nil,
        _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        guard !isEnding, !caller.hasLeft else { throw Failure.cancelled }
        guard takeBack == nil else {
            throw Failure(.locked, "another question is being asked", hint: "answer it first")
        }
        try demandWaiting(card)
        let question = Task { try await body() }
        takeBack = question.cancel
        questioned = card
        questionEnding = nil
        let timer = card.map { card in Task { await self.endQuestion(whenExpired: card) } }
        let asker = card.map { card in Task { await self.endQuestion(whenNeverListed: card, caller) } }
        defer {
            timer?.cancel()
            asker?.cancel()
            takeBack = nil
            questioned = nil
        }
        do {
            let answer = try await withTaskCancellationHandler {
                try await question.value
            } onCancel: {
                question.cancel()
            }
            // What was answered in the same moment is not acted on.
            if let questionEnding { throw questionEnding }
            return answer
        } catch let error as PinentryError {
            if error.code == .cancelled { throw questionEnding ?? .cancelled }
            throw Failure(.locked, error.reason, hint: "countersign unlock")
        }
    }

    /// Why a window closed by itself, where this failure came of that.
    private func closedWindow(_ failure: Failure) -> ReviewOutcome? {
        guard questionEnding?.kind == failure.kind else { return nil }
        questionEnding = nil
        return switch failure.kind {
        case .expired: .expired
        case .notFound: .withdrawn
        default: nil
        }
    }

    /// Throws when it has expired, or left the list since the question before. One that no poll has brought yet is asked about.
    private func demandWaiting(_ card: Card?) throws {
        guard let card else { return listed = nil }
        guard !card.isExpired(at: parts.clock.now()) else { throw Failure.expired }
        guard case .open(let open) = held else { throw Self.isLocked }
        if open.cards.values.contains(where: { $0.fingerprint == card.fingerprint }) {
            listed = card.fingerprint
        } else if listed == card.fingerprint {
            throw Failure.gone
        }
    }

    private func endQuestion(whenExpired card: Card) async {
        if await card.awaitExpiry(by: parts.clock) { endQuestion(about: card.fingerprint, .expired) }
    }

    /// What is withdrawn before any poll brought it, no poll tells of: until one did, the bank is asked for it by itself.
    private func endQuestion(whenNeverListed card: Card, _ caller: CallerContext) async {
        while true {
            try? await parts.clock.sleep(for: .seconds(3))
            guard !Task.isCancelled, case .open(let open) = held,
                !open.cards.values.contains(where: { $0.fingerprint == card.fingerprint })
            else { return }
            do {
                let operations = try localWithoutUse(for: caller)
                let served = try await operations.card(card.reference, abbreviated: false, withSource: false)
                if served.isPending { continue }
            } catch {
                guard Failure(error).kind == .notFound else { continue }
            }
            return endQuestion(about: card.fingerprint, .gone)
        }
    }

    /// The question about this leaves the screen, and whoever waits for its answer has `failure`.
    func endQuestion(about fingerprint: Fingerprint, _ failure: Failure) {
        guard let card = questioned, card.fingerprint == fingerprint, questionEnding == nil else { return }
        questionEnding = card.isExpired(at: parts.clock.now()) ? .expired : failure
        takeBack?()
    }
}

extension CallerContext {
    /// The person, by a notification of the agent itself.
    static var notification: CallerContext {
        var requester = Requester.current()
        requester.commands.insert("a desktop notification", at: 0)
        var caller = CallerContext(requester: requester, isOwnProgram: true, isPerson: true)
        caller.isNotification = true
        return caller
    }
}
