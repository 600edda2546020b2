import Basics
import Keys
import SessionModel

/// Writing the results of renewals. The caller has the turn, but the person may end a session at any time.
extension TokenKeeper {
    /// Writes the tokens without those that ran out. Throws `SessionError` `signedOut` where the person ended the
    /// session meanwhile, and the store's errors.
    func write(_ tokens: TokenSet, of session: SignIn, noting note: SessionNote? = nil) throws {
        do {
            try store.write(tokens.swept(at: Moment(clock)), of: session.id, noting: note)
        } catch let ended as EndedMeanwhile {
            throw SessionError.signedOut(session.name, ended.reason)
        }
        noteSaved(session.id)
    }

    /// Writes the new tokens and keeps trying, since the issuer has spent the old refresh token and the new one is nowhere else.
    /// After three tries in five seconds it keeps the tokens in the rescue store, from which the next use takes them. If that does not
    /// take them either, it goes on trying both. A cancellation, or an interrupt by the person, ends that after a last try. `mark`: the
    /// renewal mark that the answer belongs to.
    func persist(
        _ tokens: TokenSet, after mark: RenewalMark?, of session: SignIn, noting note: SessionNote?
    ) async throws {
        var kept = tokens
        kept.mark = mark
        var attempt = 1
        while let failure = try await failureToStore(tokens, of: session, noting: note) {
            if attempt >= 3 {
                unsaved.insert(session.id)
                let isRescued = rescue(kept, of: session)
                if attempt == 3 || isRescued { tellUnstored(session.name, isRescued) }
                if isRescued { return }
                guard !interrupts.isPending() else { throw failure }
            }
            do { try await clock.sleep(for: .seconds(attempt == 2 ? 4 : 1)) } catch {
                guard let failure = try await failureToStore(tokens, of: session, noting: note) else { break }
                unsaved.insert(session.id)
                guard rescue(kept, of: session) else { throw failure }
                return
            }
            attempt += 1
        }
        noteSaved(session.id)
    }

    /// The tokens of a row or, if those of its last renewal could not be written, the rescued ones. Those are written
    /// now if the disk takes them. Throws the errors of the rescue store.
    func recovered(_ row: TokenSet, of session: SignIn) throws -> TokenSet {
        guard let mark = row.mark, unsaved.mayBeRescued(mark, of: session.id),
            let kept = try store.rescued(session.id, after: row)
        else { return row }
        unsaved.insert(session.id)
        do { try write(kept, of: session) } catch let error as StoreError where error.isPassing {}
        return kept
    }

    /// Writes the tokens that the renewals of any process could not write. Those that still cannot be written are
    /// written when the session is used.
    func takeRescued() {
        for session in (try? store.sessions()) ?? [] {
            guard let row = try? store.tokens(of: session.id), row.mark != nil else { continue }
            if let turn = try? store.takeTurn(of: session.id), case .taken(let taken) = turn {
                _ = try? recovered(try read(session), of: session)
                taken.end()
            } else if (try? store.rescued(session.id, after: row)) != nil {
                unsaved.insert(session.id)
            }
        }
    }

    /// Returns nil when the tokens are stored. Throws if the person ended or removed the session meanwhile.
    private func failureToStore(
        _ tokens: TokenSet, of session: SignIn, noting note: SessionNote?
    ) async throws -> StoreError? {
        do {
            try store.write(tokens.swept(at: Moment(clock)), of: session.id, noting: note)
            return nil
        } catch let ended as EndedMeanwhile {
            await end(tokens, of: session)
            throw SessionError.signedOut(session.name, ended.reason)
        } catch StoreError.notFound {
            await end(tokens, of: session)
            throw gone(session)
        } catch let error as StoreError where error.isPassing {
            return error
        }
    }

    private func rescue(_ tokens: TokenSet, of session: SignIn) -> Bool {
        (try? store.rescue(tokens, of: session.id)) != nil
    }

    private func noteSaved(_ session: SessionID) {
        // Rescued tokens that cannot be removed do no harm: the written row has no mark that they fit.
        if unsaved.remove(session) { try? store.forgetRescued(session) }
    }

    /// Ends the new tokens at the issuer if the person signed out of the session meanwhile.
    private func end(_ tokens: TokenSet, of session: SignIn) async {
        noteSaved(session.id)
        try? store.owe(revoking.owing(tokens, of: session))
        try? await revoking.settle(store)
    }
}

extension StoreError {
    /// Whether the same may succeed later, such as when a disk is no longer full.
    var isPassing: Bool {
        switch self {
        case .busy, .unusable: true
        case .notFound, .nameTaken, .alreadyDecided, .newerSchema, .damaged: false
        }
    }
}

extension SessionStore {
    /// Waits for the turn of a session, for 45 seconds by default. Throws `SessionError` `busy`.
    func turn(of session: SignIn, clock: Clock, within limit: Duration = .seconds(45)) async throws -> any HeldTurn {
        let deadline = clock.moment() + limit
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
