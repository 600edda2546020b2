import Display
import FoundationEssentials
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

        var reference: String? {
            switch self {
            case .unlock: nil
            case .approve(let card), .deny(let card): card.reference
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
        let pinentry = try pinentry(for: caller, about: purpose.reference)
        var question = purpose.question(caller.requester.words)
        for attempt in 1... {
            if let warning = try parts.gate.status().warning() { question.error = DisplayText(warning) }
            let asked = question
            guard
                let pin = try await asking(
                    caller, about: purpose.reference, { try pinentry.pin(asked, cancellation: $0) })
            else {
                throw Failure.cancelled
            }
            // Who asked may have left, and then nobody waits for what the PIN does.
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

    /// A second yes to the same within minutes may be a habit; what is typed was read. Without an amount it is the title.
    func askAgain(_ card: Card, _ caller: CallerContext) async throws {
        let pinentry = try pinentry(for: caller, about: card.reference)
        let name = card.distinction
        let question = PinentryQuestion(
            name == "title"
                ? "You approved the same a few minutes ago. Type its title to approve it again"
                : "You approved the same a few minutes ago. Type its amount to approve it again",
            details: [caller.requester.words, card.bank, card.host, card.title],
            prompt: name == "title" ? "Title:" : "Amount:")
        let typed = try await asking(caller, about: card.reference) { try pinentry.pin(question, cancellation: $0) }
        let words = typed?.withBytes { String(decoding: $0, as: UTF8.self) } ?? ""
        guard card.isDistinction(words) else {
            throw Failure(.cancelled, "that is not the \(name); nothing was sent")
        }
    }

    /// Shows the whole card before a PIN is asked for it, whoever asks: a front end may have shown something else.
    func show(_ card: Card, _ caller: CallerContext) async throws {
        let pinentry = try pinentry(for: caller, about: card.reference)
        for page in PinentryQuestion.pages(of: card, caller.requester.words, at: parts.clock.now()) {
            guard try await asking(caller, about: card.reference, { try pinentry.confirm(page, cancellation: $0) })
            else {
                throw Failure.cancelled
            }
        }
        if caller.isPerson { use() }
    }

    /// The person pressed Review on a notification: shows the whole card, page by page, then takes the PIN.
    ///
    /// - Parameter key: what the notification was announced as.
    public func review(_ key: String) async throws {
        let caller = CallerContext.notification
        guard case .open(let open) = tick() else {
            _ = try await unlock(nil, from: .person, for: caller)
            return
        }
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        _ = try await approve(request, pin: nil, from: .person, for: caller)
    }

    /// The person pressed Deny on a notification that showed what has this fingerprint, in hexadecimal digits. Where that takes
    /// the PIN, the whole card comes first, as for Review.
    public func deny(_ key: String, showing fingerprint: String) async throws {
        guard case .open(let open) = tick() else { throw Self.isLocked }
        guard let card = ItemKey(key).flatMap({ open.cards[$0] }) else { throw Failure.gone }
        guard card.fingerprint.hex == fingerprint else { throw Failure.changed.naming(reference: card.reference) }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        _ = try await deny(request, pin: nil, from: .person, for: .notification)
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
            if failure.kind != .cancelled, !caller.isNotification { parts.announcer.tell(.failed(failure), of: card) }
            throw error
        }
    }

    /// Throws where it cannot appear, naming the command that asks on a terminal.
    private func pinentry(for caller: CallerContext, about reference: String?) throws -> Pinentry {
        guard caller.mayAsk, let pinentry = parts.pinentry(caller.prompt.environment, caller.prompt.tty) else {
            throw Failure(
                .locked, "the PIN is needed, and there is nowhere to ask for it",
                hint: reference.map { "countersign approve \($0)" } ?? "countersign unlock")
        }
        return pinentry
    }

    /// One question at a time: nobody can tell which of two windows he answers. It leaves when nobody waits for it any more, and
    /// does not come where nobody does.
    private func asking<R: Sendable>(
        _ caller: CallerContext, about reference: String? = nil,
        _ body: @escaping @Sendable (PinentryCancellation) throws -> R
    ) async throws -> R {
        guard !isEnding, !caller.hasLeft else { throw Failure.cancelled }
        guard question == nil else {
            throw Failure(.locked, "another question is being asked", hint: "answer it first")
        }
        let question = PinentryCancellation()
        self.question = question
        questioned = reference
        defer {
            self.question = nil
            questioned = nil
        }
        do {
            return try await withTaskCancellationHandler {
                try await blocking { try body(question) }
            } onCancel: {
                question.cancel()
            }
        } catch let error as PinentryError {
            if error.code == .cancelled { throw Failure.cancelled }
            throw Failure(.locked, error.reason, hint: "countersign unlock")
        }
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
