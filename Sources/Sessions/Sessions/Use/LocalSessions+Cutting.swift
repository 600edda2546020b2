import Basics
import FoundationEssentials
import SessionModel

/// Ending the tokens that a program has already.
extension LocalSessions {
    /// Until when tokens that this grant handed out may be good. Nil if none is good, or if the issuer does not say for how long.
    func tokensUntil(_ grant: ProgramGrant) throws -> Date? {
        guard grant.lastUsedAt != nil, let session = try store.sessions().first(where: { $0.id == grant.session }),
            let tokens = try store.tokens(of: session.id)
        else { return nil }
        let now = Moment(clock)
        let given = tokens.given(by: grant, of: session).compactMap { tokens.access[$0].end(at: now) }
        return (given + [tokens.idEnd(by: grant, at: now)]).compactMap(\.self).filter { $0 > now.wall }.max()
    }

    /// The tokens of a grant that stay good after a cut.
    struct Cut {
        /// Whether no good token is left.
        var isWhole: Bool
        /// As in `tokensUntil`.
        var until: Date?
    }

    /// Ends, at their issuer, the access tokens that this grant may have handed out, also in other hands. Calls to an
    /// issuer that cannot be reached are owed. At some issuers, ending a token ends the whole session.
    func cut(_ grant: ProgramGrant) async throws -> Cut {
        guard grant.lastUsedAt != nil, let session = try store.sessions().first(where: { $0.id == grant.session })
        else { return Cut(isWhole: true) }
        let turn = try await store.turn(of: session, clock: clock)
        defer { turn.end() }
        guard var tokens = try store.tokens(of: session.id) else { return Cut(isWhole: true) }
        // Tokens that cannot be read cannot be ended.
        guard tokens.end != .damaged else { return Cut(isWhole: false) }
        let now = Moment(clock)
        let idEnd = tokens.idEnd(by: grant, at: now)
        let given = tokens.given(by: grant, of: session).filter {
            tokens.access[$0].end(at: now).map { $0 > now.wall } ?? true
        }
        let before = tokens.access
        // From here on nobody gets them, even if this process dies before the issuer ended them.
        for index in given { tokens.access[index].isDoubtful = true }
        try store.write(tokens, of: session.id)
        let revoking = Revoking(service: service, clock: clock, makeID: makeID)
        let outcome = try await revoking.end(given.map { (before[$0].token, .access) }, of: session)
        try store.owe(outcome.owed)
        let living = zip(given, outcome.areEnded).filter { !$0.1 }.map { before[$0.0] }
        // Tokens that the issuer will not end may as well be used.
        let kept = living.filter { token in !outcome.owed.contains { $0.token?.isSame(as: token.token) == true } }
        tokens.access = before.enumerated().filter { index, token in
            !given.contains(index) || kept.contains { $0.token.isSame(as: token.token) }
        }.map(\.element)
        // Where the person signed out meanwhile, all tokens are gone from here, and the issuer is asked to end each.
        do { try store.write(tokens, of: session.id) } catch is EndedMeanwhile {}
        let ends = living.compactMap { $0.end(at: now) } + [idEnd].compactMap(\.self)
        return Cut(isWhole: living.isEmpty && idEnd == nil, until: ends.max())
    }
}

extension TokenSet {
    /// The places of the access tokens that may have been handed out by this grant.
    fileprivate func given(by grant: ProgramGrant, of session: SignIn) -> [Int] {
        access.indices.filter { index in
            // Tokens that were not judged yet were handed out to nobody.
            grant.kinds.contains(.access) && (index > 0 || unjudgedSince == nil)
                && grant.covering(access[index].aim, of: session) == access[index].aim
        }
    }

    /// When the ID token that this grant may have handed out runs out; nil if none is good.
    fileprivate func idEnd(by grant: ProgramGrant, at now: Moment) -> Date? {
        guard grant.kinds.contains(.id), let times = idToken.flatMap(IDTokenTimes.init) else { return nil }
        let end = Date(timeIntervalSince1970: times.expiresAt)
        return end > now.wall ? end : nil
    }
}

extension AccessToken {
    /// When the token runs out, without a safety margin; nil if the issuer did not say.
    fileprivate func end(at now: Moment) -> Date? {
        lifetime.map { seconds in
            now.secondsInBoot(since: receivedAt).map { now.wall + TimeInterval(seconds - $0) }
                ?? receivedAt.wall + TimeInterval(seconds)
        }
    }
}
