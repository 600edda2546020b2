@testable import Agent
import Basics
@testable import Sessions
import Testing

extension FakeAgent: SessionServing {
    func sessions(for caller: CallerContext) async throws -> any SessionOperations {
        try demandAtHand(caller)
        return FakeSessions(agent: self)
    }

    func ownSessions(for caller: CallerContext) async throws -> OwnSessionsPayload {
        try demandAtHand(caller)
        try note("ownSessions")
        return SessionSamples.ownSessions
    }

    func ownGrants(for caller: CallerContext) async throws -> GrantsPayload {
        try demandAtHand(caller)
        try note("ownGrants")
        return SessionSamples.grants
    }

    func token(_ request: TokenRequest, for caller: CallerContext) async throws -> TokenPayload {
        try demandAtHand(caller)
        try note("token", request.target, request.scopes?.text, "\(request.terms)")
        return SessionSamples.token
    }

    func headers(_ request: HeadersRequest, for caller: CallerContext) async throws -> HeadersPayload {
        try demandAtHand(caller)
        try note("headers", request.url.text)
        return SessionSamples.headers
    }

    func ready(_ request: ReadyRequest, for caller: CallerContext) async throws -> ReadyPayload {
        try demandAtHand(caller)
        try note("ready", request.version, request.target, request.url?.text)
        return ReadyPayload(lines: ["gold"])
    }

    func history(
        _ request: SessionHistoryRequest, for caller: CallerContext
    ) async throws -> SessionHistoryPayload {
        try demandAtHand(caller)
        try note("sessionHistory", request.since?.text, "\(request.limit ?? 0) \(request.isVerified)")
        return SessionSamples.history
    }

    func programRequests(for caller: CallerContext) async throws -> RequestsPayload {
        try demandAtHand(caller)
        try note("requests")
        return SessionSamples.requests
    }

    func allow(
        _ id: String, _ options: AllowOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> AnsweredRequestPayload {
        try demandAtHand(caller)
        try note("allow", id, options.use.rawValue, options.session?.text, words(pin, source))
        return SessionSamples.allowed
    }

    func refuse(_ id: String, for caller: CallerContext) async throws -> AnsweredRequestPayload {
        try demandAtHand(caller)
        try note("refuse", id)
        return SessionSamples.refused
    }

    func allow(
        _ options: GrantOptions, pin: any Secret, from source: PINSource, for caller: CallerContext
    ) async throws -> OneGrantPayload {
        try demandAtHand(caller)
        try note("grant", options.program.text, options.session.text, words(pin, source))
        return SessionSamples.grant
    }

    func signOut(
        _ name: String, _ options: SignOutOptions, for caller: CallerContext
    ) async throws -> EndedSessionPayload {
        try demandAtHand(caller)
        try note("signOut", name, "\(options.localOnly) \(options.browser)")
        return SessionSamples.ended
    }

    func beginLogin(_ request: LoginRequest, for caller: CallerContext) async throws -> OpenLogin {
        try demandAtHand(caller)
        try note("beginLogin", "\(request.origin)", request.name?.text)
        return SessionSamples.login
    }

    func acceptLogin(
        _ id: String, _ acceptance: LoginAcceptance, for caller: CallerContext
    ) async throws -> LoginNext {
        try demandAtHand(caller)
        try note("acceptLogin", id, "\(acceptance.way)")
        return if case .browser = acceptance.way { SessionSamples.page } else { SessionSamples.code }
    }

    func redirectLogin(_ id: String, _ address: String, for caller: CallerContext) async throws -> LoginVerdict {
        try demandAtHand(caller)
        try note("redirectLogin", id, address)
        return address.contains("good") ? SessionSamples.signedIn : LoginVerdict(nil)
    }

    func login(_ id: String, _ wait: LoginWait, for caller: CallerContext) async throws -> LoginVerdict {
        try demandAtHand(caller)
        try note("login", id, "\(wait.seconds)")
        return SessionSamples.signedIn
    }

    func endLogin(_ id: String) async { try? note("endLogin", id) }

    func setSignOut(
        of name: String, _ options: SignOutChange, pin: (any Secret)?, from source: PINSource,
        for caller: CallerContext
    ) async throws -> OneSessionPayload {
        try demandAtHand(caller)
        try note("setSignOut", name, options.until?.text, options.keep.map { "\($0)" }, pin.map { words($0, source) })
        return SessionSamples.session
    }

    func revokeOwn(for caller: CallerContext) async throws {
        state.withLock { $0.callers.append(caller) }
        try note("revokeOwn")
    }

    func changed() async {}

    func demandAtHand(_ caller: CallerContext) throws {
        state.withLock { $0.callers.append(caller) }
        try state.withLock { state in
            state.looks -= 1
            if state.looks < 0 { throw SessionError.notAtHand }
        }
    }

    func words(_ pin: any Secret, _ source: PINSource) -> String {
        pin.withBytes { String(decoding: $0, as: UTF8.self) } + " \(source)"
    }
}

/// The sessions of a fake agent: notes what was asked for, and answers with the verb's sample.
struct FakeSessions: SessionOperations {
    struct AskedOperations: Error {}

    let agent: FakeAgent

    func perform<Input, Output>(
        _ verb: SessionVerb<Input, Output>, on name: String, _ input: Input
    ) async throws -> Output {
        let sample: any Sendable =
            switch verb.verb.rules.name {
            case "sessions": SessionSamples.sessions
            case "session": SessionSamples.details
            case "renameSession": SessionSamples.session
            case "grants": SessionSamples.grants
            case "revokeGrant": SessionSamples.revoked
            case "sites": SiteSamples.sites
            case "removeSite": SiteSamples.removed
            case "matchSite": SiteSamples.match
            case "checkSites": SiteSamples.checks
            case "siteOffer": SiteSamples.offer
            default: throw AskedOperations()
            }
        try agent.note(verb.verb.rules.name, name)
        return try #require(sample as? Output)
    }

    func login(_ request: LoginRequest) throws -> any LoginSteps { throw AskedOperations() }
    func settle() {}

    // The routes ask the agent itself for these.

    func history(_ request: SessionHistoryRequest) async throws -> SessionHistoryPayload { throw AskedOperations() }
    func token(_ request: TokenRequest) async throws -> TokenPayload { throw AskedOperations() }
    func headers(_ request: HeadersRequest) async throws -> HeadersPayload { throw AskedOperations() }
    func allow(_ options: GrantOptions, pin: EnteredPIN) async throws -> OneGrantPayload {
        throw AskedOperations()
    }
    func setSignOut(
        of name: String, _ options: SignOutChange, pin: EnteredPIN?
    ) async throws -> OneSessionPayload { throw AskedOperations() }
}

/// The answers about sessions.
enum SessionSamples {
    /// Every kind of event.
    static let events = [
        SessionEvent.Kind.session(SessionName("fern")!), .request(id: "77aa01bc"), .requestGone(id: "77aa01bc"),
    ].map { SessionEvent($0, at: ManualClock.start) }

    private static let oneSession = #"""
        {"name":"fern","issuer":"https://fern.example","host":"fern.example","kind":"openid","account":"mira",
        "subject":"mira","status":"active","reason":null,"scopes":["mail","openid"],"resources":[],"acr":null,
        "authenticated_at":"2030-01-01T00:00:00Z","created_at":"2030-01-01T00:00:00Z",
        "updated_at":"2030-01-01T00:00:00Z","expires_at":null,"sign_out_at":"2030-01-01T18:00:00Z","keep":false,
        "refreshable":true,"saved":true}
        """#
    private static let oneGrant = #"""
        {"id":"3f9a1c22","program":{"kind":"unit","name":"backup.service"},"session":null,"scopes":["mail"],
        "resources":[],"kinds":["access","id"],"when":"asked","status":"over","created_at":"2030-01-01T00:00:00Z",
        "expires_at":"2030-01-02T00:00:00Z","last_used_at":null,"uses":12}
        """#

    static let sessions: SessionsPayload = APISamples.decode(#"{"sessions":[\#(oneSession)]}"#)
    static let ownSessions: OwnSessionsPayload = APISamples.decode(
        #"{"sessions":[{"name":"fern","status":"active","expires_at":null}]}"#)
    static let session: OneSessionPayload = APISamples.decode(#"{"session":\#(oneSession)}"#)
    static let details: SessionDetailsPayload = APISamples.decode(
        #"""
        {"session":\#(oneSession),"profile":{"name":"Mira Oak","email":null},"amr":["pwd"],"client":{"id":"c","registered":true},
        "endpoints":{"authorization":"https://fern.example/a","token":"https://fern.example/t","revocation":null,
        "end_session":"https://fern.example/e"},"authorities":[],"tokens":[{"kind":"access","type":"Bearer","scopes":["mail"],
        "other_audiences":[],"resources":["https://api.fern.example"],"expires_at":"2030-01-01T00:00:00Z"},
        {"kind":"id","type":null,"scopes":[],"other_audiences":["project"],"resources":[],"expires_at":null}],"grants":["3f9a1c22"],"sites":["5a5a5a5a"]}
        """#)
    static let ended: EndedSessionPayload = APISamples.decode(
        #"""
        {"signed_out":{"name":"fern","issuer":"https://fern.example","revoked":true,"owed":false,"good_until":null,"grants":[],
        "sites":["5a5a5a5a"],
        "page":{"address":"https://fern.example/e?client_id=c&id_token_hint=i","bare":"https://fern.example/e?client_id=c"}}}
        """#)
    static let login: OpenLogin = APISamples.decode(
        #"""
        {"id":"l-1","offer":{"issuer":"https://fern.example","hosts":{"issuer":"fern.example","page":"www.fern.example",
        "tokens":"fern.example","others":["keys.fern.example"],"page_unproven":true},"client":null,
        "redirect_uri":"http://127.0.0.1/callback","may_move":false,"scopes":["openid"],
        "resources":["https://api.fern.example"],"session":"fern"}}
        """#)
    static let page: LoginNext = APISamples.decode(#"{"page":"https://fern.example/a?state=1","device":null}"#)
    static let code: LoginNext = APISamples.decode(
        #"""
        {"page":null,"device":{"user_code":"ABCD-EFGH","verification_uri":"https://fern.example/activate",
        "verification_uri_complete":null,"expires_in":600}}
        """#)
    static let signedIn: LoginVerdict = APISamples.decode(
        #"{"signed_in":{"session":\#(oneSession),"notice":"Name and address could not be asked for: no answer","not_granted":["mail"],"renewal_options":"--offline","service":null}}"#
    )
    static let token: TokenPayload = APISamples.decode(
        #"""
        {"token":{"session":"fern","issuer":"https://fern.example","kind":"access","type":"Bearer","value":"a1",
        "scopes":["mail"],"resources":["https://api.fern.example"],"expires_at":null,"seconds_left":null}}
        """#)
    static let headers: HeadersPayload = APISamples.decode(
        #"""
        {"headers":[{"name":"Authorization","value":"Bearer a1"}],"session":"fern","site":null,
        "resource":"https://api.fern.example","expires_at":"2030-01-01T00:00:00Z","username":null}
        """#)
    static let history: SessionHistoryPayload = APISamples.decode(
        #"""
        {"events":[{"at":"2030-01-01T00:00:00Z","event":"handed_out","session":"fern","host":"fern.example",
        "program":{"kind":"unit","name":"backup.service"},"scopes":["mail"],"detail":"12","hash":"\#(hash)"},
        {"at":"2030-01-01T00:00:00Z","event":"signed_in","session":"fern","host":"fern.example","program":null,
        "scopes":[],"detail":null,"hash":"\#(hash)"}],"log":"intact"}
        """#)
    private static let hash = String(repeating: "3f", count: 32)
    static let grants: GrantsPayload = APISamples.decode(#"{"grants":[\#(oneGrant)]}"#)
    static let grant: OneGrantPayload = APISamples.decode(#"{"grant":\#(oneGrant)}"#)
    static let revoked: RevokedGrantPayload = APISamples.decode(
        #"{"revoked":\#(oneGrant),"tokens_until":"2030-01-01T01:00:00Z","cut":true}"#)
    static let requests: RequestsPayload = APISamples.decode(
        #"""
        {"requests":[{"id":"77aa","at":"2030-01-01T00:00:00Z","program":{"kind":"path","name":"/usr/bin/fern"},
        "requester":["fern"],"changeable":true,"claims":{"name":"Backup"},"session":"fern","account":null,
        "host":"fern.example","scopes":[],"resources":[],"choices":[{"session":"fern","account":null,
        "host":"fern.example","scopes":[],"resources":[]}],"kinds":["id"],"expires_at":"2030-01-01T00:10:00Z"},
        {"id":"77ab","at":"2030-01-01T00:00:00Z","program":{"kind":"terminal","name":"person"},
        "requester":["fern"],"changeable":false,"claims":null,"session":null,"account":null,"host":null,"scopes":[],
        "resources":[],"choices":[],"kinds":["access"],"expires_at":"2030-01-01T00:10:00Z"}]}
        """#)
    static let allowed: AnsweredRequestPayload = APISamples.decode(
        #"{"request":{"id":"77aa","outcome":"allowed"},"grant":\#(oneGrant)}"#)
    static let refused: AnsweredRequestPayload = APISamples.decode(
        #"{"request":{"id":"77aa","outcome":"refused"},"grant":null}"#)
}
