import Basics
import Dialogue
import Sessions

/// Logins that are carried out here, while sessions are at hand.
extension SessionWing {
    /// Begins a login, which is kept until it ends.
    func beginLogin(_ request: LoginRequest, for caller: CallerContext) async throws -> OpenLogin {
        let sessions = try demandAtHand(for: caller)
        return try await logins.begin(byPerson: caller.isPerson) { permit in
            try sessions.login(request, secret: nil, permit: permit)
        }
    }

    /// The person agreed to the hosts. Throws `SessionError` `loginEnded` for a login that is not under way.
    func acceptLogin(
        _ id: String, _ acceptance: LoginAcceptance, for caller: CallerContext
    ) async throws -> LoginNext {
        _ = try demandAtHand(for: caller)
        return try await logins.accept(id, acceptance)
    }

    /// Judges an address that the browser was led to. Throws as `acceptLogin` does, and the error that ended the login.
    func redirectLogin(
        _ id: String, _ address: String, for caller: CallerContext
    ) async throws -> LoginVerdict {
        _ = try demandAtHand(for: caller)
        return try await logins.redirect(id, address)
    }

    /// Waits for the end of a login by a device. Throws as `redirectLogin` does.
    func login(_ id: String, _ wait: LoginWait, for caller: CallerContext) async throws -> LoginVerdict {
        _ = try demandAtHand(for: caller)
        try await logins.awaitOutcome(of: id, wait.seconds)
        _ = try demandAtHand(for: caller)
        return try await logins.verdict(on: id)
    }

    /// The steps of a login that was begun, for a person at the desktop.
    nonisolated func steps(of login: OpenLogin, for caller: CallerContext) -> PageSteps<SignedInPayload> {
        let id = login.id
        return PageSteps(
            login.offer, accept: { try await self.acceptLogin(id, $0, for: caller) },
            redirect: { try await self.redirectLogin(id, $0.address, for: caller) },
            wait: { try await self.login(id, $0, for: caller) }, end: { await self.endLogin(id) })
    }

    /// Ends a login that has made no session, and forgets it.
    func endLogin(_ id: String) async { await logins.end(id) }

    func hear(_ event: LoginsUnderWay.Event) {
        switch event {
        case .personIsDone: used()
        case .waitedFor: tellChanges()
        case .signedIn:
            tellChanges()
            // A failure to send owed revocations must not undo this login.
            if let sessions = held.atHand { send(from: sessions) }
        }
    }
}
