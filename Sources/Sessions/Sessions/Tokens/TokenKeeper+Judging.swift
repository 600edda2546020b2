import Basics
import Keys
import SessionModel

extension TokenKeeper {
    /// Judges the ID token of the last renewal, if that was not done yet. An ID token of another person ends the
    /// session. An ID token with any other fault is dropped, and the access token stays. If the issuer's keys cannot be
    /// had, returns the tokens without the ID token, which stays to be judged; throws `SessionError` `unjudged` instead
    /// if `needsIDToken`.
    func judged(_ tokens: TokenSet, of session: SignIn, needsIDToken: Bool = false) async throws -> TokenSet {
        guard let since = tokens.unjudgedSince, tokens.end == nil, let identity = session.identity,
            let newest = tokens.access.first
        else { return tokens }
        let grant = TokenGrant(
            accessToken: newest.token.secret, type: newest.type, idToken: tokens.idToken?.secret, serverTime: since)
        func judge(_ session: SignIn) async throws -> RenewalJudgement {
            do {
                return try await service.calling(session.issuer).judge(
                    renewal: grant, of: identity, as: session.client, at: session.issuer, session.extras)
            } catch {
                throw SessionError.unjudged(session.name, error)
            }
        }
        var judgement: RenewalJudgement
        do { judgement = try await judge(session) } catch  where !needsIDToken {
            return tokens.withoutNewestIDToken(nil)
        }
        if case .faulty = judgement, let newer = await withNewKeys(session), let other = try? await judge(newer) {
            judgement = other
            if judgement == .right { _ = try store.update(session.id) { present, _ in present.issuer = newer.issuer } }
        }
        let judged: TokenSet
        switch judgement {
        case .right: judged = tokens.withNewestIDToken()
        case .ofAnother:
            try write(tokens.ended(.changed), of: session, noting: try notes.ended(session, .changed))
            throw SessionError.signedOut(session.name, .changed)
        case .faulty(let reason): judged = tokens.withoutNewestIDToken(reason)
        }
        // If that cannot be written, the next use judges the token again.
        do { try write(judged, of: session) } catch let error as StoreError where error.isPassing {}
        return judged
    }

    /// The session with its issuer's present keys and algorithms. Nil if they are unchanged or cannot be fetched. Takes over no
    /// address that tokens go to.
    private func withNewKeys(_ session: SignIn) async -> SignIn? {
        guard !session.extras.isDescribed,
            let found = try? await service.calling(session.issuer).discover(session.issuer.issuer.address).metadata,
            found.issuer == session.issuer.issuer
        else { return nil }
        var newer = session
        newer.issuer.keys = found.keys
        newer.issuer.idTokenAlgorithms = found.idTokenAlgorithms
        return newer.issuer == session.issuer ? nil : newer
    }
}
