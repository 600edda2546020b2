import Basics
import Sessions
import Synchronization

/// Leads a person through a login: the question about the hosts, the issuer's page, and the wait for the result.
struct LoginRun {
    enum Way {
        /// The issuer's page leads the browser back.
        case browser((LoginOfferPayload) async throws -> LoginCallback)
        /// The person enters a code on the issuer's page, within these minutes.
        case device(minutes: Double)
    }

    let login: any LoginSteps
    /// Asks the person before anything is made at the issuer.
    let confirm: (LoginOfferPayload) async throws -> Bool
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
            guard try await confirm(offer) else { throw SessionError.declined }
            return try await run(offer)
        } catch {
            await login.abandon()
            throw error
        }
    }

    private func run(_ offer: LoginOfferPayload) async throws -> SignedInPayload {
        guard endsBySignal else { return try await signedIn(offer) }
        let signals = LoginSignals(ending: login)
        do {
            let signedIn = try await signedIn(offer, signals)
            signals.letGo()
            return signedIn
        } catch {
            await signals.letGoUnlessEnding()
            throw error
        }
    }

    private func signedIn(_ offer: LoginOfferPayload, _ signals: LoginSignals? = nil) async throws -> SignedInPayload {
        switch way {
        case .browser(let callback): return try await run(try await callback(offer), signals)
        case .device(let minutes):
            DeviceNotice.show(
                try await login.acceptDevice(within: .seconds(60 * minutes)), agreed: offer.hosts)
            return try await login.awaitDevice()
        }
    }

    private func run(_ callback: LoginCallback, _ signals: LoginSignals?) async throws -> SignedInPayload {
        do {
            try await callback.open(try await login.accept(returnURL: callback.returnURL))
            let session = try await wait(callback, signals)
            await callback.close()
            return session
        } catch {
            await callback.close()
            throw error
        }
    }

    private func wait(_ callback: LoginCallback, _ signals: LoginSignals?) async throws -> SignedInPayload {
        let loss = Mutex<(any Error)?>(nil)
        let watching = Task { [login] in
            do { try await login.awaitLoss() } catch {
                loss.withLock { $0 = error }
                callback.endWait()
            }
        }
        defer { watching.cancel() }
        while let incoming = try await callback.next() {
            // A code works only once, so a signal waits for its result.
            signals?.wait(true)
            do {
                let signedIn = try await login.take(incoming.address)
                // Any page can send an address that is not of this login.
                await incoming.answer(signedIn == nil ? .notAccepted : .accepted)
                if let signedIn { return signedIn }
                signals?.wait(false)
            } catch {
                await incoming.answer(.notAccepted)
                throw error
            }
        }
        throw loss.withLock(\.self) ?? (callback.hasInputEnded ? SessionError.noAddress : SessionError.waitOver)
    }
}
