import Basics
import Glibc
public import Sessions

/// What is ready: a token that is good, for the person, or for a program that had one before by the same grant.
extension SessionWing {
    public nonisolated func ready(_ request: ReadyRequest, for caller: CallerContext) async throws -> ReadyPayload {
        guard request.pid == getpid(), request.version == ProductVersion.text else { return ReadyPayload(lines: []) }
        return ReadyPayload(lines: try await lines(for: request, caller) ?? [])
    }

    private nonisolated func lines(for request: ReadyRequest, _ caller: CallerContext) async throws -> [String]? {
        let terms = try TokenTerms()
        guard let url = request.url else {
            let wanted = TokenRequest(target: request.target, terms)
            guard let found = try await permittedAlready(caller, { try $0.choice(for: wanted, among: $1) }),
                let token = try found.sessions.readyToken(by: found.choice, terms, within: found.grant)
            else { return nil }
            served(found)
            return [token.token.value]
        }
        let wanted = HeadersRequest(url: url, terms)
        guard let found = try await permittedAlready(caller, { try $0.choice(for: wanted, among: $1) }),
            let headers = try found.sessions.readyHeaders(by: found.choice, terms, within: found.grant)
        else { return nil }
        served(found)
        return headers.lines
    }

    /// Nil if the caller may not have it, or if only a question or a note would let it.
    private nonisolated func permittedAlready(_ caller: CallerContext, _ find: Find) async throws -> Permitted? {
        let asker = asker(of: caller)
        let (reached, readiness) = try await reached()
        let sessions = reached.asked(by: caller.requester)
        if asker == .person { await used(by: caller) }
        let grants = asker == .person ? [] : try sessions.store.grants()
        let search = TokenSearch(try sessions.store.sessions(), grants)
        guard case .one(var choice)? = try? search.found(for: asker, { try find(sessions, $0) }),
            case .yes(let aim, let grant) = try HandOutRules(grants, readiness, at: clock.now())
                .verdict(on: asker, wanting: choice.aim, choice.kind, of: choice.session),
            // The first token of a grant is noted before it is handed out.
            grant.map({ $0.lastUsedAt != nil }) ?? true
        else { return nil }
        choice.aim = aim
        return Permitted(sessions: sessions, choice: choice, grant: grant)
    }

    private nonisolated func served(_ found: Permitted) {
        if let grant = found.grant { used(grant, in: found.sessions) }
    }
}
