import Basics
import Dialogue
import SessionModel
import Sessions
import Synchronization

/// Carries the dialogue of a login: its question to the person, the issuer's page to the browser, and redirects to the steps.
struct LoginRun {
    enum Way {
        /// The issuer's page leads the browser back.
        case browser((LoginOfferPayload) async throws -> PageCallback)
        /// The person enters a code on the issuer's page, within these minutes.
        case device(minutes: Double)
    }

    typealias Dialogue = PageDialogue<SignedInPayload>

    let login: any LoginSteps
    /// Begins the dialogue about this offer.
    let dialogue: (LoginOfferPayload) -> Dialogue
    let answer: (Ask) async throws -> Answer
    let way: Way
    /// Whether a signal ends the login, so that nothing is left of it, and then this process: of a command.
    var endsBySignal = false

    /// Returns the session. Throws at the first definite no, and at the end of the wait.
    func run() async throws -> SignedInPayload {
        do {
            let offer =
                endsBySignal
                ? try await Terminal.saying("Looking for the issuer") { try await login.begin() }
                : try await login.begin()
            var dialogue = self.dialogue(offer)
            var next = dialogue.next()
            while case .ask(let ask) = next { next = dialogue.next(.answer(try await answer(ask))) }
            if case .end(let error) = next { throw error }
            return try await run(offer, dialogue)
        } catch {
            await login.abandon()
            throw error
        }
    }

    private func run(_ offer: LoginOfferPayload, _ dialogue: Dialogue) async throws -> SignedInPayload {
        guard endsBySignal else { return try await signedIn(offer, dialogue) }
        let signals = LoginSignals(ending: login)
        do {
            let signedIn = try await signedIn(offer, dialogue, signals)
            signals.letGo()
            return signedIn
        } catch {
            await signals.letGoUnlessEnding()
            throw error
        }
    }

    private func signedIn(
        _ offer: LoginOfferPayload, _ dialogue: Dialogue, _ signals: LoginSignals? = nil
    ) async throws -> SignedInPayload {
        switch way {
        case .browser(let callback): return try await run(try await callback(offer), dialogue, signals)
        case .device(let minutes):
            DeviceNotice.show(
                try await login.acceptDevice(within: .seconds(60 * minutes)), agreed: offer.hosts)
            return try await login.awaitDevice()
        }
    }

    private func run(
        _ callback: PageCallback, _ dialogue: Dialogue, _ signals: LoginSignals?
    ) async throws -> SignedInPayload {
        do {
            let session = try await walk(dialogue, callback, signals)
            await callback.close()
            return session
        } catch {
            await callback.close()
            throw error
        }
    }

    /// The rest of the dialogue, after the person agreed.
    private func walk(
        _ dialogue: Dialogue, _ callback: PageCallback, _ signals: LoginSignals?
    ) async throws -> SignedInPayload {
        var dialogue = dialogue
        var next = dialogue.next(.page(try await login.accept(returnURL: callback.returnURL)))
        if case .open(let page) = next {
            try await callback.open(page)
            next = dialogue.next(.opened)
        }
        let loss = Mutex<(any Error)?>(nil)
        let watching = Task { [login] in
            do { try await login.awaitLoss() } catch {
                loss.withLock { $0 = error }
                callback.endWait()
            }
        }
        defer { watching.cancel() }
        while case .wait = next { next = dialogue.next(try await redirected(callback, signals)) }
        switch next {
        case .done(let signedIn): return signedIn
        case .end(let error): throw loss.withLock(\.self) ?? error
        case .ask, .accept, .open, .wait: throw SessionError.declined
        }
    }

    private func redirected(_ callback: PageCallback, _ signals: LoginSignals?) async throws -> Dialogue.Event {
        guard let incoming = try await callback.next() else { return .silence(hasInput: !callback.hasInputEnded) }
        // A code works only once, so a signal waits for its result.
        signals?.wait(true)
        do {
            let signedIn = try await login.take(incoming.address)
            // Any page can send an address that is not of this login.
            await incoming.answer(signedIn == nil ? .notAccepted : .accepted)
            if let signedIn { return .done(signedIn) }
            signals?.wait(false)
            return .redirect(nil)
        } catch {
            await incoming.answer(.notAccepted)
            throw error
        }
    }
}
