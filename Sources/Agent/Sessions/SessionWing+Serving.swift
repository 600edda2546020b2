public import Basics
public import Sessions

/// Tokens, and the right to get them.
extension SessionWing: SessionServing {
    public func sessions(for caller: CallerContext) throws -> any SessionOperations {
        let sessions = try demandAtHand(for: caller)
        uses.write(in: sessions)
        return sessions
    }

    public nonisolated func history(
        _ request: SessionHistoryRequest, for caller: CallerContext
    ) async throws -> SessionHistoryPayload { try await demandAtHand(for: caller).history(request) }

    public nonisolated func token(_ request: TokenRequest, for caller: CallerContext) async throws -> TokenPayload {
        var handOut = HandOut(wait: request.terms.wait)
        let found = try await permitted(caller, request.terms, by: &handOut) { try $0.choice(for: request, among: $1) }
        return try await serving(found) {
            try await found.sessions.token(by: found.choice, request.terms, within: found.grant)
        }
    }

    public nonisolated func headers(
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

    public func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        let (sessions, proof) = try await proved(pin, source, caller)
        return try sessions.allow(options, by: proof)
    }

    public func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload {
        defer { tellChanges() }
        guard let pin else {
            return try await demandAtHand(for: caller).setSignOut(of: name, options, by: nil)
        }
        let (sessions, proof) = try await proved(pin, source, caller)
        return try await sessions.setSignOut(of: name, options, by: proof)
    }

    /// The sessions, if they are at hand and still are after the PIN proved right.
    func proved(
        _ pin: any Secret, _ source: PINSource, _ caller: CallerContext
    ) async throws -> (LocalSessions, ProvedPIN) {
        _ = try demandAtHand(for: caller)
        let proof = try await core.prove(pin, from: source)
        requests.entered()
        return (try demandAtHand(for: caller), proof)
    }
}
