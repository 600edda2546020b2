import Display
import FoundationEssentials
import SCA
import SCACrypto

/// Questions that the agent asks by itself: for front ends that may not see the PIN, and for notifications.
extension AgentCore {
    /// What a PIN is asked for.
    enum Purpose {
        case unlock
        /// Names the authorization; who asks has shown it.
        case approve(Card)

        func question(_ asker: [DisplayText]) -> PinentryQuestion {
            switch self {
            case .unlock:
                PinentryQuestion("Enter your PIN to open your bank connections", details: asker)
            case .approve(let card):
                PinentryQuestion(
                    "Enter your PIN to approve what a bank asks",
                    details: [DisplayText("Fingerprint: \(card.fingerprint.short)")] + asker
                        + [card.bank, card.host, card.title], ok: "Approve")
            }
        }
    }

    /// Asks for the PIN, at most thrice while it is wrong, and hands it to `use`. Throws a failure of kind `cancelled` when
    /// none is typed.
    func askForPIN<R: Sendable>(
        _ purpose: Purpose, _ caller: CallerContext, _ use: (LockedBytes) async throws -> R
    ) async throws -> R {
        let pinentry = try pinentry(for: caller)
        var question = purpose.question(caller.requester.words)
        for attempt in 1... {
            let status = try parts.gate.status()
            if status.triesLeft < 5, let seconds = status.blockedFor {
                throw PINError(.blocked, triesLeft: status.triesLeft, blockedFor: seconds)
            }
            if status.triesLeft == 1 {
                question.error = DisplayText(
                    "This is the last try: a wrong PIN destroys all keys, and every bank must be enrolled again.")
            }
            let asked = question
            guard let pin = try await asking({ try pinentry.pin(asked) }) else { throw Failure.cancelled }
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

    /// The person pressed Review on a notification: shows the whole card, page by page, then takes the PIN.
    public func review(_ reference: String) async throws {
        let caller = CallerContext.notification
        guard case .open(let open) = tick(), let card = open.cards[reference] else {
            _ = try await unlock(nil, from: .person, for: caller)
            return
        }
        use()
        let pinentry = try pinentry(for: caller)
        for page in card.pages(at: parts.clock.now()) {
            let question = PinentryQuestion("A bank asks you to confirm this", details: [page], ok: "Next")
            guard try await asking({ try pinentry.confirm(question) }) else { throw Failure.cancelled }
        }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        let decision = try await approve(request, pin: nil, from: .person, for: caller)
        if let failure = decision.error?.failure { throw failure }
    }

    /// The person pressed Deny on a notification that showed this card.
    public func deny(_ reference: String) async throws {
        guard case .open(let open) = tick(), let card = open.cards[reference] else { throw Self.isLocked }
        use()
        let request = DecisionRequest(
            ref: card.reference, fingerprint: card.fingerprint, position: nil, waits: true)
        let decision = try await deny(request, for: .notification)
        if let failure = decision.error?.failure { throw failure }
    }

    private func pinentry(for caller: CallerContext) throws -> Pinentry {
        guard caller.mayAsk, let pinentry = parts.pinentry(caller.prompt.environment, caller.prompt.tty) else {
            throw Failure(
                .locked, "the PIN is needed, and there is nowhere to ask for it", hint: "countersign unlock")
        }
        return pinentry
    }

    /// One question at a time: nobody can tell which of two windows he answers.
    private func asking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        guard !isAsking else {
            throw Failure(.locked, "another question is being asked", hint: "answer it first")
        }
        isAsking = true
        defer { isAsking = false }
        do {
            return try await blocking(body)
        } catch let error as PinentryError {
            if error.code == .cancelled { throw Failure.cancelled }
            throw Failure(.locked, error.reason, hint: "countersign unlock")
        }
    }
}

extension Requester {
    /// Who asks, for a prompt: the process and what started it.
    var words: [DisplayText] {
        let names = commands.prefix(2).map { $0.prefix(60) }.joined(separator: ", started by: ")
        return [DisplayText("Asked by process \(pid): \(names)")]
    }
}

extension CallerContext {
    /// The person, by a notification of the agent itself.
    static var notification: CallerContext {
        var requester = Requester.current()
        requester.commands.insert("a desktop notification", at: 0)
        return CallerContext(requester: requester, isOwnProgram: true, isPerson: true)
    }
}

extension Card {
    /// The whole card in pieces that a pinentry shows without cutting.
    func pages(at now: Date) -> [DisplayText] {
        let limit = 600
        var pages: [[String]] = [[]]
        var size = 0
        for line in lines(at: now, width: 60) {
            let count = line.utf8.count + 1
            if size + count > limit, size > 0 {
                pages.append([])
                size = 0
            }
            pages[pages.count - 1].append(line)
            size += count
        }
        return pages.enumerated().map { index, page in
            let head = pages.count > 1 ? ["\(index + 1) of \(pages.count)"] : []
            return DisplayText(shown: (head + page).joined(separator: "\n"))
                ?? DisplayText((head + page).joined(separator: "\n"))
        }
    }
}
