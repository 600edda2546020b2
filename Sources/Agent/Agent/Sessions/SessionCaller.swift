import Basics
import Keys
import SessionModel
import Sessions
import Verbs

/// The wing of sessions, asked by one caller.
struct SessionCaller: SessionHost {
    let wing: SessionWing
    let caller: CallerContext

    func sessions() async throws -> LocalSessions { try await wing.sessions(for: caller) }

    func proved<R: Sendable>(
        _ pin: EnteredPIN?, _ body: @Sendable (LocalSessions, ProvedPIN?) throws -> R
    ) async throws -> R { try await wing.proved(pin?.typed(), caller, body) }

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
