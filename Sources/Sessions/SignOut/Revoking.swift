import Basics
import FoundationEssentials

/// Ends tokens at their issuers (RFC 7009). What an issuer cannot be told now is owed, and tried again later.
struct Revoking: Sendable {
    let service: any IssuerService
    let clock: Clock
    let makeID: @Sendable () throws -> String

    /// What became of the tokens of one session.
    struct Outcome {
        /// Whether the issuer took the refresh token back or, where there is none, the access tokens.
        var isTold: Bool
        var owed: [OwedRevocation]
    }

    /// Ends the refresh token, and the access tokens that are still good.
    func end(_ tokens: TokenSet, of session: SignIn) async throws -> Outcome {
        let now = Moment(clock)
        var all: [(SecretSlot, RevocableToken)] = tokens.refreshToken.map { [($0, .refresh)] } ?? []
        all += tokens.access.filter { ($0.secondsLeft(at: now, isRefreshable: tokens.isRefreshable) ?? 1) > 0 }
            .map { ($0.token, .access) }
        var outcome = Outcome(isTold: !all.isEmpty, owed: [])
        var isReachable = true
        for (token, kind) in all {
            do throws(IssuerError) {
                guard isReachable else { throw .unreachable(reason: "") }
                try await service.revoke(token.secret, kind, as: session.client, at: session.issuer)
            } catch {
                // Many issuers end only refresh tokens.
                if kind == .refresh || tokens.refreshToken == nil { outcome.isTold = false }
                guard error.isPassing else { continue }
                isReachable = false
                outcome.owed.append(
                    OwedRevocation(
                        id: try makeID(), issuer: session.issuer, client: session.client, token: token, kind: kind,
                        since: clock.now()))
            }
        }
        return outcome
    }

    /// Tries to end what is owed. One that its issuer definitely refused is forgotten, and so is one that is older than 30 days.
    func settle(_ store: any SessionStore) async throws {
        var dead: Set<String> = []
        let inUse = try store.sessions().flatMap { try store.tokens(of: $0.id)?.all ?? [] }
        for owed in try store.owed() {
            // Some issuers give the same token again to a new login.
            if inUse.contains(where: { $0.isSame(as: owed.token) }) {
                try store.settle(owed)
                continue
            }
            let isOld = clock.now().timeIntervalSince(owed.since) > 30 * 86400
            // Each issuer that does not answer costs one wait.
            if !isOld, dead.contains(owed.issuer.issuer.text) { continue }
            do throws(IssuerError) {
                if !isOld {
                    try await service.revoke(owed.token.secret, owed.kind, as: owed.client, at: owed.issuer)
                }
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

extension IssuerError {
    /// Whether the same call may succeed later.
    var isPassing: Bool {
        switch self {
        case .unreachable, .noAnswer: true
        case .notFound, .refused, .contradiction, .unsupported, .noRegistration, .noRevocation: false
        }
    }
}
