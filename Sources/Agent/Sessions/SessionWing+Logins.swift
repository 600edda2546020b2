import Basics
public import Sessions

/// A login that was begun here.
struct LoginUnderWay {
    let steps: LocalLogin
    let permit: LoginPermit
    /// Whether sessions stay at hand while it waits: a person began it.
    let isUse: Bool
    /// Waits until the person has entered the code of a device flow.
    var device: Task<Void, Never>?
    /// The result of the device flow.
    var outcome: Result<SignedInPayload, any Error>?
    /// Ends the wait of the caller that asks for the outcome.
    var waiter: AsyncStream<Never>.Continuation?
}

/// Logins that were begun here. They outlive the hiding of banks' requests, because a person may be on an issuer's page
/// for longer than that, and end when sessions are no longer at hand.
extension SessionWing {
    private static let mostLogins = 4

    public func beginLogin(_ request: LoginRequest, for caller: CallerContext) async throws -> OpenLogin {
        let sessions = try demandAtHand(for: caller)
        guard logins.count < Self.mostLogins else { throw SessionError.tooManyLogins }
        let (id, permit) = (try dependencies.makeID(), LoginPermit())
        let steps = try sessions.login(request, secret: nil, permit: permit)
        logins[id] = LoginUnderWay(steps: steps, permit: permit, isUse: caller.isPerson)
        do {
            let offer = try await steps.begin()
            guard logins[id] != nil else { throw SessionError.notAtHand }
            return OpenLogin(id: id, offer: offer)
        } catch {
            await endLogin(id)
            throw error
        }
    }

    public func acceptLogin(
        _ id: String, _ acceptance: LoginAcceptance, for caller: CallerContext
    ) async throws -> LoginNext {
        let steps = try login(id, for: caller).steps
        do {
            let next: LoginNext
            switch acceptance.way {
            case .browser(let returnURL): next = LoginNext(page: try await steps.accept(returnURL: returnURL))
            case .device(let seconds):
                next = LoginNext(device: try await steps.acceptDevice(within: .seconds(seconds)))
                logins[id]?.device = Task { await self.awaitDevice(id, steps) }
            }
            // A lock may have come meanwhile.
            guard logins[id] != nil else { throw SessionError.loginEnded }
            return next
        } catch {
            // Also for a login that was ended before this program was registered for it.
            await endLogin(id)
            await steps.abandon()
            throw error
        }
    }

    public func redirectLogin(
        _ id: String, _ address: String, for caller: CallerContext
    ) async throws -> LoginVerdict {
        let steps = try login(id, for: caller).steps
        do {
            let signedIn = try await steps.take(address)
            if signedIn != nil { finished(id) }
            return LoginVerdict(signedIn)
        } catch {
            await endLogin(id)
            await steps.abandon()
            throw error
        }
    }

    public func login(_ id: String, _ wait: LoginWait, for caller: CallerContext) async throws -> LoginVerdict {
        _ = try login(id, for: caller)
        if logins[id]?.outcome == nil, wait.seconds > 0 { await awaitOutcome(of: id, wait.seconds) }
        switch try login(id, for: caller).outcome {
        case nil: return LoginVerdict(nil)
        case .success(let signedIn):
            finished(id)
            return LoginVerdict(signedIn)
        case .failure(let error):
            await endLogin(id)
            throw error
        }
    }

    public func endLogin(_ id: String) async { await forget(id)?.steps.abandon() }

    /// Ends all logins: from here on they store nothing.
    func endLogins() {
        let ended = logins.keys.compactMap { forget($0) }
        if !ended.isEmpty { Task { for login in ended { await login.steps.abandon() } } }
    }

    /// Whether a person is at an issuer's page, which counts as use.
    var isPersonSigningIn: Bool { logins.values.contains(where: \.isUse) }

    private func login(_ id: String, for caller: CallerContext) throws -> LoginUnderWay {
        _ = try demandAtHand(for: caller)
        guard let login = logins[id] else { throw SessionError.loginEnded }
        return login
    }

    @discardableResult
    private func forget(_ id: String) -> LoginUnderWay? {
        guard let login = logins.removeValue(forKey: id) else { return nil }
        // Until now the login counted as use.
        if login.isUse { used() }
        login.permit.withdraw()
        login.device?.cancel()
        login.waiter?.finish()
        return login
    }

    /// A login has made its session.
    private func finished(_ id: String) {
        forget(id)
        tellChanges()
        guard case .atHand(let sessions, _) = held else { return }
        // A failure to send owed revocations must not undo this login.
        tellIssuers(of: sessions)
    }

    private func awaitDevice(_ id: String, _ steps: LocalLogin) async {
        let outcome: Result<SignedInPayload, any Error>
        do {
            outcome = .success(try await steps.awaitDevice())
        } catch {
            await steps.abandon()
            outcome = .failure(error)
        }
        logins[id]?.outcome = outcome
        tellChanges()
        logins[id]?.waiter?.finish()
    }

    /// Returns when there is an outcome, when the login was ended, when the time is over, and when its task is cancelled.
    private func awaitOutcome(of id: String, _ seconds: Int64) async {
        let (stream, end) = AsyncStream<Never>.makeStream()
        logins[id]?.waiter?.finish()
        logins[id]?.waiter = end
        let timer = Task { [clock] in
            try? await clock.sleep(for: .seconds(seconds))
            end.finish()
        }
        for await _ in stream {}
        timer.cancel()
    }
}
