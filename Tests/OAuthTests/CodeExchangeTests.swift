import Basics
import FoundationEssentials
@testable import OAuth
@testable import SessionModel
@testable import Sessions
import Testing
import Web

/// What the token endpoint's answer to a code means (oauth section 7.5), and what reaches a person of what issuers say, at the strict issuer.
struct CodeExchangeTests {
    private static let redirect = "http://127.0.0.1:4711/callback/0a1b2c3d"

    private func withIssuer(
        _ orders: String..., body: (TestIssuer, OAuthService) async throws -> Void
    ) async throws {
        let transport = try Transport()
        let issuer = try await TestIssuer(transport)
        for order in orders { try await issuer.control(order) }
        do { try await body(issuer, OAuthService(transport: transport, now: { Date() })) } catch {
            await transport.shutdown()
            throw error
        }
        await transport.shutdown()
    }

    private func begun(
        _ issuer: TestIssuer, _ service: OAuthService, _ change: (inout AuthorizationRequest) -> Void = { _ in }
    ) async throws -> (any AuthorizationAttempt, ClientRegistration, IssuerMetadata) {
        let metadata = try await service.discover(issuer.address).metadata
        let client = try await service.register(redirectURI: Self.redirect, forDevices: false, at: metadata)
        var request = AuthorizationRequest(scopes: try #require(Scopes("openid")), redirectURI: Self.redirect)
        change(&request)
        return (try await service.authorize(request, as: client, at: metadata), client, metadata)
    }

    private func exchanged(
        _ issuer: TestIssuer, _ attempt: any AuthorizationAttempt, as client: ClientRegistration
    ) async throws -> TokenGrant {
        guard case .code(let code) = attempt.judge(try await issuer.signIn(attempt.page)) else {
            throw IssuerError.unsupported(reason: "no code")
        }
        return try await attempt.exchange(code, as: client)
    }

    private func words(_ error: IssuerError) -> String {
        switch error {
        case .refused(let rejection): "refused \(rejection.kind)"
        case .unreachable: "unreachable"
        case .noAnswer: "no answer"
        case .contradiction: "contradiction"
        case .notFound, .unsupported, .several, .noRegistration, .noRevocation: "another error"
        }
    }

    @Test(arguments: [
        (#""what":"error","error":"invalid_grant""#, "refused grant"),
        (#""what":"error","error":"invalid_client","status":401"#, "refused client"),
        (#""what":"error","error":"unauthorized_client""#, "refused client"),
        (#""what":"error","error":"invalid_scope""#, "refused scope"),
        (#""what":"error","error":"invalid_target""#, "refused target"),
        (#""what":"error","error":"unsupported_grant_type""#, "refused other"),
        (#""what":"error","error":"invalid_code","status":403"#, "refused other"),
        (#""what":"error","error":"slow","status":429"#, "unreachable"),
        (#""what":"error","error":"slow","status":503"#, "unreachable"),
        (#""what":"error","error":"broken","status":500"#, "no answer"), (#""what":"html""#, "no answer"),
        (#""what":"huge""#, "no answer"), (#""what":"cut""#, "no answer"), (#""what":"after_drop""#, "no answer"),
        (#""what":"redirect","to":"https://fern.example/""#, "refused redirect"),
        (#""what":"change","with":{"access_token":null}"#, "no answer"),
        (#""what":"change","with":{"token_type":"mac"}"#, "granted of another type"),
        (#""what":"change","with":{"token_type":null}"#, "granted"),
        (#""what":"change","with":{"token_type":"","scope":"","expires_in":"","x":{}}"#, "granted"),
        (#""what":"change","status":201"#, "granted"), (#""what":"change","status":206"#, "granted"),
    ])
    func anAnswerToACode(_ row: (fault: String, meaning: String)) async throws {
        try await withIssuer(#"{"fault":{"route":"token",\#(row.fault)}}"#) { issuer, service in
            let (attempt, client, _) = try await begun(issuer, service)
            do {
                let grant = try await exchanged(issuer, attempt, as: client)
                #expect(row.meaning == (grant.type == .bearer ? "granted" : "granted of another type"))
            } catch let error as IssuerError {
                #expect(words(error) == row.meaning)
            }
        }
    }

    /// Nothing was sent: the code is not used up.
    @Test func anIssuerThatIsGone() async throws {
        try await withIssuer { issuer, service in
            let metadata = try await service.discover(issuer.address).metadata
            var gone = metadata
            gone.tokenEndpoint = try WebAddress("http://127.0.0.1:1/token")
            let request = AuthorizationRequest(scopes: .none, redirectURI: Self.redirect)
            let client = ClientRegistration(id: BankText("public-client"))
            let attempt = try await service.authorize(request, as: client, at: gone)
            let error = await #expect(throws: IssuerError.self) {
                _ = try await attempt.exchange(try "code".locked(), as: client)
            }
            #expect(error.map(words) == "unreachable")
        }
    }

    /// Hostile words of each endpoint reach a person only safely shown.
    @Test(arguments: ["register", "par", "token", "device", "revoke", "userinfo"])
    func hostileWords(_ route: String) async throws {
        let text = #"x\u001b[2J\u202e\u0007y"#
        let answer = #"{\"error\":\"w\u001b[2J\u202e\",\"error_description\":\"\#(text)\",\"error_uri\":\"\#(text)\"}"#
            .replacing(#"\u"#, with: #"\\u"#)
        let fault = #"{"fault":{"route":"\#(route)","what":"answer","status":400,"body":"\#(answer)"}}"#
        try await withIssuer(#"{"set":{"require_par":true}}"#, fault) { issuer, service in
            let error = await #expect(throws: IssuerError.self) {
                let (attempt, client, metadata) = try await begun(issuer, service)
                if route == "device" {
                    _ = try await service.authorizeDevice(DeviceRequest(scopes: .none), as: client, at: metadata)
                }
                let grant = try await exchanged(issuer, attempt, as: client)
                if route == "userinfo" { _ = try await service.userInfo(grant.accessToken, at: metadata) }
                try await service.revoke(grant.accessToken, .access, as: client, at: metadata)
            }
            guard case .refused(let rejection) = error else {
                Issue.record("not refused: \(error.map(words) ?? "no error")")
                return
            }
            #expect(rejection.word?.untrusted.contains("\u{1B}[2J\u{202E}") == true)
            let failure = try #require(error).failure
            let told = failure.message + (failure.hint ?? "")
            #expect(told.contains("the issuer says: w"))
            #expect(!told.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}".unicodeScalars.contains($0) }, "\(told)")
        }
    }

    /// A code to enter, and the name of a client that the issuer gave, in what a person is shown.
    @Test func whatIsShownOfACodeAndAClient() throws {
        let hostile = "AB\u{1B}[2J\u{202E}CD\u{7}"
        let page = try WebAddress("https://fern.example/d")
        let code = DeviceCodePayload(
            DeviceCode(text: BankText(hostile), page: page, wholePage: nil, lifetime: 600, interval: 5))
        let issuer = try #require(Issuer("https://fern.example"))
        let metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: page, tokenEndpoint: page, fetchedAt: Date())
        let offer = LoginOfferPayload(
            LoginOffer(
                issuer: issuer, hosts: metadata.hosts, client: BankText(hostile), mayMove: false, scopes: .none,
                resources: []))
        for shown in [code.userCode, try #require(offer.client)] {
            #expect(shown.hasPrefix("AB") && shown.hasSuffix("⟨U+0007⟩"), "\(shown)")
            #expect(!shown.unicodeScalars.contains { "\u{1B}\u{7}\u{202E}".unicodeScalars.contains($0) })
        }
    }

    /// The person's languages, unless they say themselves what is sent.
    @Test(
        arguments: [
            ("de_AT.UTF-8", nil, "ui_locales=de-AT%20de"), ("C.UTF-8", nil, nil),
            ("de_AT.UTF-8", "nl", "ui_locales=nl"),
        ] as [(String, String?, String?)])
    func theLanguagesOfThePage(_ row: (locale: String, parameter: String?, sent: String?)) async throws {
        try await withIssuer { issuer, service in
            let (attempt, _, _) = try await begun(issuer, service) { request in
                request.languages = LanguageTags(locale: row.locale)
                if let value = row.parameter { request.extras = request.extras.adding("ui_locales", value) ?? .none }
            }
            let sent = attempt.page.text.split(separator: "?").last?.split(separator: "&").map(String.init)
                .filter { $0.hasPrefix("ui_locales") }
            #expect(sent == [row.sent].compactMap(\.self))
        }
    }

    /// A signature that is wrong says nothing about whose the session is: a key may stand under the name of an older one.
    @Test(arguments: ["foreign", "spoiled", "unlisted"])
    func aWrongSignatureOfARenewalEndsNothing(_ sign: String) async throws {
        try await withIssuer { issuer, service in
            let (attempt, client, metadata) = try await begun(issuer, service)
            let grant = try await exchanged(issuer, attempt, as: client)
            let person = try #require(try await attempt.identity(in: grant))
            try await issuer.control(#"{"set":{"sign":"\#(sign)"}}"#)
            guard
                case .granted(let next) = await service.refresh(
                    try #require(grant.refreshToken), RefreshRequest(), as: client, at: metadata)
            else {
                Issue.record("no renewal")
                return
            }
            let judgement = try await service.judge(renewal: next, of: person, as: client, at: metadata, .none)
            guard case .faulty = judgement else {
                Issue.record("\(judgement)")
                return
            }
        }
    }

    /// Real issuers leave `none` out of their list and take clients without a secret: that is noted, and refused nowhere.
    @Test(arguments: [(#"["client_secret_basic"]"#, true), (#"["none"]"#, false), ("null", false)])
    func anIssuerThatListsNoPublicClients(_ row: (listed: String, isNoted: Bool)) async throws {
        let order = #"{"set":{"metadata":{"token_endpoint_auth_methods_supported":\#(row.listed)}}}"#
        try await withIssuer(order) { issuer, service in
            let (attempt, client, _) = try await begun(issuer, service)
            _ = try await exchanged(issuer, attempt, as: client)
            let findings = await service.examine(issuer.address)
            let finding = try #require(findings.first { $0.topic == "client" })
            #expect((finding.verdict == .note) == row.isNoted)
            #expect((finding.hint?.contains("--client-secret-file") ?? false) == row.isNoted)
        }
    }
}
