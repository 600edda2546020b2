import Basics

/// Writing what a renewal brings. The caller has the turn, but the person may end a session at any time.
extension TokenKeeper {
    /// Throws `SessionError` `signedOut` where the person ended the session meanwhile, and what the store throws.
    func write(_ tokens: TokenSet, of session: SignIn, noting note: SessionNote? = nil) throws {
        do { try store.write(tokens, of: session.id, noting: note) } catch let ended as EndedMeanwhile {
            throw SessionError.signedOut(session.name, ended.reason)
        }
    }

    /// The issuer has spent the old token, and the new one is nowhere else: a failure to write is taken for an answer only when the
    /// person wants no more of it.
    func persist(_ tokens: TokenSet, of session: SignIn) async throws {
        var attempt = 1
        while true {
            do { return try store.write(tokens, of: session.id) } catch let ended as EndedMeanwhile {
                await end(tokens, of: session)
                throw SessionError.signedOut(session.name, ended.reason)
            } catch let error as StoreError where error.code == .notFound {
                await end(tokens, of: session)
                throw gone(session)
            } catch let error as StoreError where [.busy, .unusable].contains(error.code) {
                if attempt == 3 { tellUnstored(session.name) }
                if attempt >= 3, interrupts.isPending() { throw error }
                try await clock.sleep(for: .seconds(attempt == 2 ? 4 : 1))
                attempt += 1
            }
        }
    }

    /// What a renewal brought for a session that the person signed out of meanwhile is ended at the issuer.
    private func end(_ tokens: TokenSet, of session: SignIn) async {
        try? store.owe(revoking.owing(tokens, of: session))
        try? await revoking.settle(store)
    }
}

extension SessionStore {
    /// Waits for the turn of a session, for 45 seconds. Throws `SessionError` `busy`.
    func turn(of session: SignIn, clock: Clock) async throws -> any HeldTurn {
        let deadline = clock.moment() + .seconds(45)
        while true {
            switch try takeTurn(of: session.id) {
            case .taken(let turn): return turn
            case .held(let holder):
                guard clock.moment() < deadline else { throw SessionError.busy(session.name, by: holder) }
                try await clock.sleep(for: .milliseconds(50))
            }
        }
    }
}
