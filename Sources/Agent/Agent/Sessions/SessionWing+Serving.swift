import Basics
import Keys
import Sessions

/// Tokens, and the right to get them.
extension SessionWing {
    /// The sessions at hand. Throws a failure of kind `locked` while they are not. A request of a person is use.
    func sessions(for caller: CallerContext) throws -> LocalSessions {
        let sessions = try demandAtHand(for: caller)
        uses.write(in: sessions)
        return sessions
    }

    /// A token, if the caller may have it: the person on a terminal, or a program by its grant. Throws `SessionError`.
    nonisolated func token(_ request: TokenRequest, for caller: CallerContext) async throws -> TokenPayload {
        var handOut = HandOut(wait: request.terms.wait)
        let found = try await permitted(caller, request.terms, by: &handOut) { try $0.choice(for: request, among: $1) }
        return try await serving(found) {
            try await found.sessions.token(by: found.choice, request.terms, within: found.grant)
        }
    }

    /// The headers for a request, by the same rules.
    nonisolated func headers(
        _ request: HeadersRequest, for caller: CallerContext
    ) async throws -> HeadersPayload {
        var handOut = HandOut(wait: request.terms.wait, toKnown: .noResource(request.url.text))
        var found = try await permitted(caller, request.terms, by: &handOut) {
            try $0.choice(for: request, among: $1)
        }
        let completed = try await found.sessions.completed(found.choice, for: request)
        if found.grant != nil, completed.aim != found.choice.aim {
            // The grant must allow the additions of the challenge, too.
            handOut.widen()
            found = try await permitted(caller, request.terms, by: &handOut) { _, _ in completed }
        } else {
            found.choice = completed
        }
        return try await serving(found) { [found] in
            try await found.sessions.headers(by: found.choice, request.terms, within: found.grant)
        }
    }

    /// Runs `body` with the sessions, if they are at hand and still are after the PIN proved right. No lock comes between that and
    /// `body`.
    func proved<R: Sendable>(
        _ pin: (secret: any Secret, source: PINSource)?, _ caller: CallerContext,
        _ body: @Sendable (LocalSessions, ProvedPIN?) throws -> R
    ) async throws -> R {
        let sessions = try demandAtHand(for: caller)
        guard let pin else { return try body(sessions, nil) }
        let proof = try await core.prove(pin.secret, from: pin.source)
        requests.entered()
        return try body(try demandAtHand(for: caller), proof)
    }
}
