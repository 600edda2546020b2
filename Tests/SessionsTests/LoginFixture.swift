import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// A login by the browser, at an issuer whose answers a test writes down.
final class LoginFixture: Sendable {
    static let back = "http://127.0.0.1:4711/callback"
    let time = TokenKeeperTests.Time()
    let store = MemorySessions()
    /// What was ended at the issuer.
    let revoked = Mutex<[String]>([])
    /// What the page was asked for.
    let asked = Mutex<[AuthorizationRequest]>([])

    struct Attempt: AuthorizationAttempt {
        let page: WebAddress
        let person: Identity?
        var judgement = RedirectJudgement.code(MemorySecret("code"))
        let answer: @Sendable () async throws(IssuerError) -> TokenGrant

        func judge(_ address: String) -> RedirectJudgement { judgement }
        func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
            try await answer()
        }
        func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? { person }
    }

    static func metadata(userInfo: Bool = true) throws -> IssuerMetadata {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        metadata.registrationEndpoint = issuer.address
        metadata.revocationEndpoint = issuer.address
        if userInfo { metadata.userInfoEndpoint = issuer.address }
        return metadata
    }

    /// A session called "fern", of this person.
    func session(of subject: String?, asked: String = "fern.read openid") throws -> SignIn {
        let scopes = try #require(Scopes(asked))
        let session = SignIn(
            id: SessionID("0"), name: try #require(SessionName("fern")), issuer: try Self.metadata(),
            client: ClientRegistration(id: BankText("c"), redirectURI: Self.back, isRegisteredHere: true),
            asked: scopes, granted: scopes, resources: [],
            identity: subject.map { Identity(subject: BankText($0), acr: BankText("strong")) }, at: Date())
        return try store.add(
            session, with: TokenSet(TokenKeeperTests.grant(0), scopes: scopes, at: Moment(time.clock)), noting: nil)
    }

    /// Signs in. `person`: whom the ID token names; `profile`: whom UserInfo names, nil for an issuer that refuses to say.
    func run(
        _ wish: LoginWish, person: String? = "mira", profile: String? = nil,
        judgement: RedirectJudgement = .code(MemorySecret("code")), metadata: IssuerMetadata? = nil,
        _ answer: @escaping @Sendable () async throws(IssuerError) -> TokenGrant = { () async throws(IssuerError) in
            TokenKeeperTests.grant(1)
        }
    ) async throws -> SignIn {
        var issuer = ScriptedIssuer()
        let found = DiscoveredIssuer(try metadata ?? Self.metadata())
        issuer.onDiscover = { () async throws(IssuerError) in found }
        issuer.onRevoke = { [self] token, _ async throws(IssuerError) in revoked.withLock { $0.append(token) } }
        issuer.onUserInfo = { _ async throws(IssuerError) in
            guard let profile else { throw IssuerError.refused(Rejection(.other, status: 403)) }
            return UserProfile(subject: BankText(profile), name: BankText("Mira"))
        }
        issuer.onRegister = { _ async throws(IssuerError) in
            ClientRegistration(id: BankText("new"), redirectURI: Self.back, isRegisteredHere: true)
        }
        let attempt = Attempt(
            page: found.metadata.issuer.address, person: person.map { Identity(subject: BankText($0)) },
            judgement: judgement, answer: answer)
        issuer.onAuthorize = { [self] request, _ async throws(IssuerError) in
            asked.withLock { $0.append(request) }
            return attempt
        }
        let login = Login(wish, service: issuer, store: store, clock: time.clock, makeID: { "1" })
        _ = try await login.begin()
        _ = try await login.accept(redirectURI: Self.back)
        guard case .signedIn(let session, _) = try await login.take(Self.back + "?x") else {
            throw SessionError.waitOver
        }
        return session
    }

    /// How it failed; nil if it did not.
    func failure(_ body: () async throws -> SignIn) async -> Failure? {
        do {
            _ = try await body()
            return nil
        } catch { return (error as? any PresentableError)?.failure }
    }

    /// Whether the session that was there has its tokens as they were.
    func isAsItWas(_ session: SignIn) throws -> Bool {
        let present = try store.sessions()
        let token = try store.tokens(of: session.id)?.refreshToken.map { text($0.secret) }
        return present.map(\.id) == [session.id] && present[0].identity == session.identity
            && present[0].updatedAt == session.updatedAt
            && token == "r0"
    }
}
