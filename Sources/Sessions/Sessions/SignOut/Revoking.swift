import Basics
import FoundationEssentials
import Keys
import SessionModel

/// Ends tokens (RFC 7009) and registrations (RFC 7592) at their issuers. If an issuer cannot be reached, the call is
/// owed and tried again later.
struct Revoking: Sendable {
    let service: any IssuerService
    let clock: Clock
    let makeID: @Sendable () throws -> String

    /// The result for the tokens of one session.
    struct Outcome {
        /// Whether the issuer ended the refresh token or, if there is none, the access tokens.
        var isTold: Bool
        /// Until when an access token is good that the issuer did not end although it was asked to; nil if it ended
        /// all, or if that is not known.
        var goodUntil: Date?
        var owed: [OwedRevocation]
    }

    /// Ends the refresh token, and the access tokens that are still good.
    func end(_ tokens: TokenSet, of session: SignIn) async throws -> Outcome {
        let all = revocable(tokens)
        let ended = try await end(all, of: session)
        // Many issuers end only refresh tokens.
        let isTold = zip(all, ended.areEnded).allSatisfy { $1 || ($0.1 == .access && tokens.refreshToken != nil) }
        guard isTold, !all.isEmpty else { return Outcome(isTold: false, owed: ended.owed) }
        // Owed tokens are ended later.
        let left = zip(all, ended.areEnded).map { ($0.0, $1) }.filter { token, isEnded in
            !isEnded && !ended.owed.contains { $0.token?.isSame(as: token) == true }
        }.map(\.0)
        let now = Moment(clock)
        let ends = tokens.access.filter { token in left.contains { $0.isSame(as: token.token) } }
            .compactMap { $0.goodUntil(at: now, isRefreshable: tokens.isRefreshable) }
        return Outcome(isTold: true, goodUntil: ends.max(), owed: ended.owed)
    }

    /// Ends these tokens one after the other. Returns for each whether the issuer ended it, and the calls that are owed
    /// because the issuer could not be reached.
    func end(
        _ tokens: [(SecretSlot, RevocableToken)], of session: SignIn
    ) async throws -> (areEnded: [Bool], owed: [OwedRevocation]) {
        var areEnded: [Bool] = []
        var owed: [OwedRevocation] = []
        for (token, kind) in tokens {
            do throws(IssuerError) {
                guard owed.isEmpty else { throw .unreachable(reason: "") }
                try await service.calling(session.issuer)
                    .revoke(token.secret, kind, as: session.client, at: session.issuer)
                areEnded.append(true)
            } catch {
                areEnded.append(false)
                guard error.isPassing else { continue }
                owed.append(try owing(token, kind, of: session))
            }
        }
        return (areEnded, owed)
    }

    /// The tokens that `end` would end, as owed revocations. Empty if the issuer cannot end tokens.
    func owing(_ tokens: TokenSet, of session: SignIn) throws -> [OwedRevocation] {
        guard session.issuer.revocationEndpoint != nil else { return [] }
        return try revocable(tokens).map { try owing($0, $1, of: session) }
    }

    private func owing(
        _ token: SecretSlot, _ kind: RevocableToken, of session: SignIn
    ) throws -> OwedRevocation {
        OwedRevocation(
            id: try makeID(), issuer: session.issuer, client: session.client, token: token,
            kind: kind == .refresh ? .refresh : .access, since: clock.now())
    }

    private func revocable(_ tokens: TokenSet) -> [(SecretSlot, RevocableToken)] {
        let now = Moment(clock)
        let good = tokens.access.filter { ($0.secondsLeft(at: now, isRefreshable: tokens.isRefreshable) ?? 1) > 0 }
        return (tokens.refreshToken.map { [($0, .refresh)] } ?? []) + good.map { ($0.token, .access) }
    }

    /// Deletes a session's registration, unless a `staying` session uses the same client. `owed`: tokens that must
    /// still be ended; those of this client go first, since only this client can end them. Returns the calls that are
    /// owed in addition.
    func leave(_ session: SignIn, staying: [SignIn], owed: [OwedRevocation]) async throws -> [OwedRevocation] {
        guard let management = session.client.management, !session.client.isUsed(by: staying, at: session.issuer.issuer)
        else { return [] }
        do throws(IssuerError) {
            guard
                !owed.contains(where: { $0.issuer.issuer == session.issuer.issuer && $0.client.id == session.client.id }
                )
            else { throw .unreachable(reason: "") }
            try await service.calling(session.issuer).unregister(session.client)
            return []
        } catch {
            guard error.isPassing else { return [] }
            return [
                OwedRevocation(
                    id: try makeID(), issuer: session.issuer, client: session.client, token: management.token,
                    kind: .registration, since: clock.now())
            ]
        }
    }

    /// Tries to make the owed calls. Forgets those that an issuer definitely refused, and those older than 30 days.
    func settle(_ store: any SessionStore) async throws {
        var dead: Set<String> = []
        let sessions = try store.sessions()
        let inUse = try sessions.flatMap { try store.tokens(of: $0.id)?.all ?? [] }
        // A registration goes after the tokens of its client.
        let all = try store.owed()
        for owed in all.filter({ $0.isToken }) + all.filter({ !$0.isToken }) {
            // Some issuers give the same token again to a new login.
            let isTokenInUse = owed.token.map { token in inUse.contains { $0.isSame(as: token) } } ?? false
            let isRegistration = owed.kind == .registration || owed.kind == .unused
            if isTokenInUse || (isRegistration && owed.client.isUsed(by: sessions, at: owed.issuer.issuer)) {
                try store.settle(owed)
                continue
            }
            if owed.isKept(at: clock.now()) { continue }
            let isOld = clock.now().timeIntervalSince(owed.since) > 30 * 86400
            // Wait only once for each issuer that does not answer.
            if !isOld, dead.contains(owed.issuer.issuer.text) { continue }
            do throws(IssuerError) {
                if !isOld { try await end(owed) }
            } catch {
                guard !error.isPassing else {
                    dead.insert(owed.issuer.issuer.text)
                    continue
                }
            }
            try store.settle(owed)
        }
    }
}

extension Revoking {
    private func end(_ owed: OwedRevocation) async throws(IssuerError) {
        let service = service.calling(owed.issuer)
        switch (owed.kind, owed.token) {
        case (.access, let token?): try await service.revoke(token.secret, .access, as: owed.client, at: owed.issuer)
        case (.refresh, let token?): try await service.revoke(token.secret, .refresh, as: owed.client, at: owed.issuer)
        case (.access, nil), (.refresh, nil): break
        case (.registration, _), (.unused, _): try await service.unregister(owed.client)
        }
    }
}

extension OwedRevocation {
    fileprivate var isToken: Bool { kind == .access || kind == .refresh }

    /// Whether it is a registration that the next login may take. Issuers delete unused ones, many of them after a day.
    func isKept(at now: Date) -> Bool { kind == .unused && now.timeIntervalSince(since) < 86400 }
}

extension ClientRegistration {
    func isUsed(by sessions: [SignIn], at issuer: Issuer) -> Bool {
        sessions.contains { $0.issuer.issuer == issuer && $0.client.id == id }
    }
}

extension IssuerError {
    /// Whether the same call may succeed later.
    var isPassing: Bool {
        switch self {
        case .unreachable, .noAnswer: true
        case .notFound, .refused, .contradiction, .unsupported, .several, .noRegistration, .noRevocation: false
        }
    }
}
