import Basics
import Sessions

/// The wing of sessions, asked by one caller.
struct SessionCaller: SessionHost {
    let wing: SessionWing
    let caller: CallerContext

    func sessions() async throws -> LocalSessions { try await wing.sessions(for: caller) }

    func proved(_ pin: EnteredPIN?) async throws -> (sessions: LocalSessions, proof: ProvedPIN?) {
        guard let pin = try pin?.typed() else { return (try await wing.demandAtHand(for: caller), nil) }
        return try await wing.proved(pin.secret, pin.source, caller)
    }

    func sessionList() async throws -> SessionsPayload {
        guard caller.isOwnProgram else { throw OtherAnswer(answer: try await wing.ownSessions(for: caller)) }
        return try await sessions().sessionList()
    }

    func grantList() async throws -> GrantsPayload {
        guard caller.isOwnProgram else { return try await wing.ownGrants(for: caller) }
        return try await sessions().grantList()
    }

    func token(_ request: TokenRequest) async throws -> TokenPayload { try await wing.token(request, for: caller) }

    /// A program goes on without a token where no site fits (oauth section 4.1).
    func headers(_ request: HeadersRequest) async throws -> HeadersPayload {
        do {
            return try await wing.headers(request, for: caller)
        } catch SessionError.noResource where !caller.isOwnProgram {
            throw OtherAnswer(answer: NoOutput())
        }
    }

    func changed() async { await wing.changed() }
    func tellIssuers(of sessions: LocalSessions) async { await wing.send(from: sessions) }
}
