@testable import AgentWire
@testable import Agent
import Basics
import LocalSocket
@testable import SessionModel
@testable import Sessions
import Testing
import Verbs

extension FakeAgent {
    /// Notes what was asked for of sessions. Nil for a verb about something else.
    func answerAboutSessions(
        _ verb: String, _ input: any VerbInput, _ request: APIRequest
    ) throws -> (any Sendable)? {
        let (name, isOwn) = (request.arguments.name, request.caller.isOwnProgram)
        let pin = request.pin.map(Self.words)
        let (words, sample): ([String?], any Sendable)
        switch input {
        case let token as TokenRequest:
            (words, sample) = (["token", token.target, token.scopes?.text, "\(token.terms)"], SessionSamples.token)
        case let headers as HeadersRequest: (words, sample) = (["headers", headers.url.text], SessionSamples.headers)
        case let ready as ReadyRequest:
            (words, sample) = (["ready", ready.version, ready.target, ready.url?.text], ReadyPayload(lines: ["gold"]))
        case let history as SessionHistoryRequest:
            (words, sample) = (
                [verb, history.since?.text, "\(history.limit ?? 0) \(history.isVerified)"], SessionSamples.history
            )
        case let options as AllowOptions:
            (words, sample) = (
                ["allow", name, options.use.rawValue, options.session?.text, pin], SessionSamples.allowed
            )
        case let options as GrantOptions:
            (words, sample) = (["grant", options.program.text, options.session.text, pin], SessionSamples.grant)
        case let options as SignOutOptions:
            (words, sample) = (["signOut", name, "\(options.localOnly) \(options.browser)"], SessionSamples.ended)
        case let change as SignOutChange:
            (words, sample) = (
                ["setSignOut", name, change.until?.text, change.keep.map { "\($0)" }, pin], SessionSamples.session
            )
        case let login as LoginRequest:
            try note("beginLogin", "\(login.origin)", login.name?.text)
            _ = request.caller.presence.onDeparture { try? self.note("endLogin l-1") }
            return SessionSamples.login
        case let acceptance as LoginAcceptance:
            let isPage = if case .browser = acceptance.way { true } else { false }
            (words, sample) = (
                ["acceptLogin", name, "\(acceptance.way)"], isPage ? SessionSamples.page : SessionSamples.code
            )
        case let redirect as LoginRedirect:
            (words, sample) = (
                ["redirectLogin", name, redirect.address],
                redirect.address.contains("good") ? SessionSamples.signedIn : LoginVerdict(nil)
            )
        case let wait as LoginWait: (words, sample) = (["login", name, "\(wait.seconds)"], SessionSamples.signedIn)
        case let new as NewSite:
            (words, sample) = (
                ["addSite", new.wish.rule.text, new.wish.realm, new.proof.rawValue, pin], SiteSamples.site
            )
        default:
            guard let known = Self.sample(verb, isOwn) else { return nil }
            (words, sample) = ([verb] + (name.isEmpty ? [] : [name]), known)
        }
        // Ending a login that is not there is no failure.
        if verb == "endLogin" { try? note(words) } else { try note(words) }
        return sample
    }

    /// The answer to a verb that its input does not tell.
    private static func sample(_ verb: String, _ isOwn: Bool) -> (any Sendable)? {
        switch verb {
        case "sessions": isOwn ? SessionSamples.sessions : SessionSamples.ownSessions
        case "session": SessionSamples.details
        case "renameSession": SessionSamples.session
        case "grants": SessionSamples.grants
        case "revokeGrant": SessionSamples.revoked
        case "revokeOwn", "endLogin": NoOutput()
        case "requests": SessionSamples.requests
        case "refuse": SessionSamples.refused
        case "sites": SiteSamples.sites
        case "removeSite": SiteSamples.removed
        case "matchSite": SiteSamples.match
        case "checkSites": SiteSamples.checks
        case "siteOffer": SiteSamples.offer
        default: nil
        }
    }
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
