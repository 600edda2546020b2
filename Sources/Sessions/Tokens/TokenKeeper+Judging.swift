import Basics

extension TokenKeeper {
    /// Judges the ID token of the last renewal, if that was not done yet. An ID token of somebody else ends the session.
    func judged(_ tokens: TokenSet, of session: SignIn) async throws -> TokenSet {
        guard let since = tokens.unjudgedSince, tokens.end == nil, let identity = session.identity,
            let newest = tokens.access.first
        else { return tokens }
        let grant = TokenGrant(
            accessToken: newest.token.secret, type: newest.type, idToken: tokens.idToken?.secret, serverTime: since)
        func judge(_ session: SignIn) async throws -> RenewalJudgement {
            do {
                return try await service.judge(
                    renewal: grant, of: identity, as: session.client, at: session.issuer, session.extras)
            } catch {
                throw SessionError.unjudged(session.name, error)
            }
        }
        var judgement = try await judge(session)
        if case .faulty = judgement, let newer = await withNewKeys(session) {
            judgement = try await judge(newer)
            if judgement == .right { _ = try store.update(session.id) { present, _ in present.issuer = newer.issuer } }
        }
        switch judgement {
        case .right:
            var tokens = tokens
            tokens.unjudgedSince = nil
            // If that cannot be written, the next use judges the token again.
            do { try write(tokens, of: session) } catch let error as StoreError where error.isPassing {}
            return tokens
        case .ofAnother:
            try write(tokens.ended(.changed), of: session, noting: try notes.ended(session, .changed))
            throw SessionError.signedOut(session.name, .changed)
        case .faulty(let reason):
            try write(tokens.withoutNewest(), of: session)
            throw SessionError.faulty(session.name, reason: reason)
        }
    }

    /// The session with its issuer's present keys and algorithms. Nil if they are unchanged or cannot be fetched. Takes over no
    /// address that tokens go to.
    private func withNewKeys(_ session: SignIn) async -> SignIn? {
        guard !session.extras.isDescribed,
            let found = try? await service.discover(session.issuer.issuer.address).metadata,
            found.issuer == session.issuer.issuer
        else { return nil }
        var newer = session
        newer.issuer.keys = found.keys
        newer.issuer.idTokenAlgorithms = found.idTokenAlgorithms
        return newer.issuer == session.issuer ? nil : newer
    }
}
