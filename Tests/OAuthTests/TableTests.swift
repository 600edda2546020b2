import Basics
import FoundationEssentials
@testable import OAuth
import SessionModel
import Testing
import Web

/// What redirects and answers mean, row by row.
struct TableTests {
    private static let redirect = "http://127.0.0.1:4711/callback/0a1b2c3d"
    private static let named = "iss=https%3A%2F%2Flogin.fern.example"

    private func attempt(namesIssuer: Bool, redirect: String = redirect) async throws -> Attempt {
        var issuer = IssuerMetadata(
            issuer: try #require(Issuer("https://login.fern.example")),
            authorizationEndpoint: try WebAddress("https://login.fern.example/authorize"),
            tokenEndpoint: try WebAddress("https://login.fern.example/token"), fetchedAt: Date())
        issuer.namesIssuerInRedirect = namesIssuer
        let transport = try Transport()
        let service = OAuthService(transport: transport, now: { Date() })
        let attempt = try await service.authorize(
            AuthorizationRequest(scopes: .none, redirectURI: redirect),
            as: ClientRegistration(id: BankText("fern")), at: issuer)
        await transport.shutdown()
        return try #require(attempt as? Attempt)
    }

    /// `STATE` stands for the right one; what the redirect brought, and what it means.
    @Test(arguments: [
        ("?code=c&state=STATE&" + named, true, "code c"), ("?code=c&state=STATE", false, "code c"),
        ("?session_state=x&code=a%2Bb%2Fc&state=STATE", false, "code a+b/c"),
        ("?code=c&state=STATE", true, "contradiction"),
        ("?code=c&state=STATE&iss=https%3A%2F%2Fother.example", false, "contradiction"),
        ("?code=c&state=STATE&iss=https%3A%2F%2Flogin.fern.example%2F", true, "code c"),
        ("?code=c&state=STATE&iss=HTTPS%3A%2F%2FLogin.Fern.Example%3A443", true, "code c"),
        ("?code=c&state=STATE&iss=https%3A%2F%2Flogin.fern.example%3A8443", true, "contradiction"),
        ("?code=c&state=STATE&iss=https%3A%2F%2Flogin.fern.example%2Fo", true, "contradiction"),
        ("?error=access_denied&state=STATE&iss=https%3A%2F%2Fother.example", false, "contradiction"),
        ("?code=c&code=d&state=STATE", false, "contradiction"),
        ("?code=c&state=STATE&" + named + "&" + named, true, "contradiction"), ("?state=STATE", false, "contradiction"),
        ("?code=&state=STATE", false, "contradiction"), ("?code=c&state=STATEx", false, "not ours"),
        ("?code=c&state=", false, "not ours"), ("?code=c", false, "not ours"),
        ("?code=c&state=STATE&state=STATE", false, "not ours"), ("x?code=c&state=STATE", false, "not ours"),
        ("/?code=c&state=STATE", false, "not ours"), ("#code=c&state=STATE", false, "not ours"),
        ("?code=%&state=STATE", false, "contradiction"), ("?code=c&state=%", false, "not ours"),
        ("", false, "not ours"),
        ("?code=c&state=STATE&iss=%E4", false, "contradiction"), ("?code=c&state=STATE&%E4=1", false, "code c"),
        ("?error=access_denied&error_description=verweigert%E4&state=STATE", false, "refused denied"),
        ("?error=access_denied&state=STATE", true, "refused denied"),
        ("?error=login_required&state=STATE", false, "refused needsPerson"),
        ("?error=invalid_scope&state=STATE&code=c", false, "refused scope"),
        ("?error=invalid_target&state=STATE", false, "refused target"),
        ("?error=server_error&state=STATE", false, "refused unavailable"),
        ("?error=unmet_authentication_requirements&state=STATE", false, "refused tooWeak"),
        ("?error=unauthorized_client&state=STATE", false, "refused client"),
        ("?error=whatever&state=STATE", false, "refused other"), ("?error=access_denied&state=x", false, "not ours"),
    ])
    func aRedirect(_ row: (tail: String, namesIssuer: Bool, meaning: String)) async throws {
        let attempt = try await attempt(namesIssuer: row.namesIssuer)
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        let meaning =
            switch attempt.judge(Self.redirect + row.tail.replacing("STATE", with: state)) {
            case .notOurs: "not ours"
            case .contradiction: "contradiction"
            case .refused(let rejection): "refused \(rejection.kind)"
            case .code(let code): "code " + code.withBytes { String(decoding: $0, as: UTF8.self) }
            }
        #expect(meaning == row.meaning)
    }

    /// A browser puts a slash behind a host that was registered without one.
    @Test func aRedirectAddressWithoutAPath() async throws {
        let attempt = try await attempt(namesIssuer: false, redirect: "http://127.0.0.1:4711")
        #expect(attempt.page.text.contains("redirect_uri=http:%2F%2F127.0.0.1:4711&"))
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        for tail in ["?", "/?"] {
            guard case .code = attempt.judge("http://127.0.0.1:4711\(tail)code=c&state=\(state)") else {
                Issue.record("not ours: \(tail)")
                continue
            }
        }
        guard case .notOurs = attempt.judge("http://127.0.0.1:4711/x?code=c&state=\(state)") else {
            Issue.record("another path was taken")
            return
        }
    }

    /// The port 80 stays in what the issuer is told; a browser leaves it out.
    @Test func aRedirectAddressWithThePortOfHTTP() async throws {
        let attempt = try await attempt(namesIssuer: false, redirect: "http://127.0.0.1:80/cb")
        #expect(attempt.page.text.contains("redirect_uri=http:%2F%2F127.0.0.1:80%2Fcb&"))
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        for start in ["http://127.0.0.1:80/cb", "http://127.0.0.1/cb"] {
            guard case .code = attempt.judge("\(start)?code=c&state=\(state)") else {
                Issue.record("not ours: \(start)")
                continue
            }
        }
    }

    /// Both names are shown.
    @Test func aRedirectOfAnotherIssuer() async throws {
        let attempt = try await attempt(namesIssuer: false)
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        guard
            case .contradiction(let reason) = attempt.judge(
                Self.redirect + "?code=c&state=\(state)&iss=https%3A%2F%2Fother.example%1B%5B2J")
        else {
            Issue.record("it was taken")
            return
        }
        #expect(
            reason.hasPrefix(#"the redirect names the issuer "https://other.example"#)
                && reason.hasSuffix(#" instead of "https://login.fern.example""#) && !reason.contains("\u{1B}"))
    }

    /// Which hosts a person is told, where an issuer names the page of another one and takes the codes itself.
    @Test(
        arguments: [
            (
                #""authorization_endpoint":"https://evil.example/a","token_endpoint":"https://evil.example/t""#,
                "evil.example", "evil.example", [], false
            ),
            (
                #""authorization_endpoint":"https://fern.example/a","token_endpoint":"https://evil.example/t""#,
                "fern.example", "evil.example", [], true
            ),
            (
                #""authorization_endpoint":"https://fern.example/a","token_endpoint":"https://evil.example/t","authorization_response_iss_parameter_supported":true"#,
                "fern.example", "evil.example", [], false
            ),
            (
                #""authorization_endpoint":"https://evil.example/a","token_endpoint":"https://t.example/t","revocation_endpoint":"https://r.example/","jwks_uri":"https://r.example/k""#,
                "evil.example", "t.example", ["r.example"], false
            ),
        ] as [(String, String, String, [String], Bool)])
    func theHosts(_ row: (members: String, page: String, tokens: String, others: [String], isUnproven: Bool)) throws {
        let document = try #require(
            JSON.object(in: Array(#"{"issuer":"https://evil.example",\#(row.members)}"#.utf8)))
        let hosts = try IssuerMetadata(document, nil, fetchedAt: Date()).hosts
        #expect((hosts.issuer, hosts.page, hosts.tokens) == ("evil.example", row.page, row.tokens))
        #expect(hosts.others == row.others && hosts.isPageUnproven == row.isUnproven)
    }

    /// Nobody elsewhere sends calls to what runs on this computer; what is not used is not read.
    @Test(arguments: [
        (#""token_endpoint":"https://127.0.0.1:8443/t""#, false), (#""token_endpoint":"https://localhost/t""#, false),
        (#""jwks_uri":"http://127.0.0.1/k""#, false), (#""jwks_uri":"https://[::1]/k""#, false),
        (#""end_session_endpoint":7,"userinfo_endpoint":"x","device_authorization_endpoint":"""#, true),
        (#""registration_endpoint":"/","revocation_endpoint":"x","pushed_authorization_request_endpoint":"""#, true),
        (#""jwks_uri":"""#, true), (#""token_endpoint":"/t""#, false),
    ])
    func endpointsOfAnIssuerElsewhere(_ row: (member: String, isTaken: Bool)) throws {
        let usual = ["issuer": "", "authorization_endpoint": "/a", "token_endpoint": "/t"]
        let members = usual.filter { !row.member.contains("\"\($0.key)\"") }.map {
            #""\#($0.key)":"https://fern.example\#($0.value)""#
        }
        let document = try #require(
            JSON.object(in: Array("{\((members + [row.member]).joined(separator: ","))}".utf8)))
        #expect(((try? IssuerMetadata(document, nil, fetchedAt: Date())) != nil) == row.isTaken)
    }

    @Test(arguments: [
        ("https://api.fern.example", "http://127.0.0.1:8080", false),
        ("https://api.fern.example", "https://localhost", false),
        ("https://api.fern.example", "https://fern.example", true),
        ("http://127.0.0.1:1", "http://127.0.0.1:8080", true),
    ])
    func theIssuerThatAResourceNames(_ row: (resource: String, issuer: String, isTaken: Bool)) throws {
        let target = try WebAddress(row.resource)
        let document = try #require(
            JSON.object(
                in: Array(#"{"resource":"\#(row.resource)","authorization_servers":["\#(row.issuer)"]}"#.utf8)))
        let found = try? OAuthService.named(by: document, at: target, of: target)
        #expect((found != nil) == row.isTaken)
    }

    /// A description is taken where it is about the address, or about what lies above it on the same origin.
    @Test(arguments: [
        ("https://api.fern.example/v1", "https://api.fern.example/v1", true),
        ("https://api.fern.example/v1", "https://api.fern.example", true),
        ("https://api.fern.example/v1", "https://api.fern.example/", true),
        ("https://api.fern.example", "https://api.fern.example/", true),
        ("https://api.fern.example/v1/me", "HTTPS://API.fern.example:443/v1", true),
        ("https://api.fern.example/v1", "https://api.fern.example/v1/me", false),
        ("https://api.fern.example/v11", "https://api.fern.example/v1", false),
        ("https://api.fern.example/v1", "https://fern.example", false),
        ("https://api.fern.example/v1", "urn:fern", false),
    ])
    func whatADescriptionIsAbout(_ row: (target: String, resource: String, isTaken: Bool)) throws {
        let target = try WebAddress(row.target)
        let document = try #require(
            JSON.object(
                in: Array(#"{"resource":"\#(row.resource)","authorization_servers":["https://fern.example"]}"#.utf8)))
        let found = try? OAuthService.named(by: document, at: target, of: target)
        #expect(found?.1.text == (row.isTaken ? row.resource : nil))
    }

    /// What the answer to a renewal means for the refresh token.
    @Test(
        arguments: [
            (200, #"{"access_token":"a","token_type":"bearer"}"#, nil, "granted"),
            (200, #"{"access_token":"a","token_type":"mac"}"#, nil, "granted"),
            (200, #"{"access_token":"a b","token_type":"Bearer"}"#, nil, "unusable"),
            (200, #"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, nil, "unusable"),
            (200, #"{"access_token":"a","access_token":"b","token_type":"Bearer"}"#, nil, "not of the issuer"),
            (200, #"{"access_token":7,"token_type":"Bearer"}"#, nil, "unusable"),
            (200, #"{"token_type":"Bearer"}"#, nil, "unusable"),
            (200, #"{"access_token":"","refresh_token":"r"}"#, nil, "unusable with r"),
            (200, #"{"access_token":"","refresh_token":"r r"}"#, nil, "unusable"),
            (200, "<html>", nil, "not of the issuer"), (200, "", nil, "not of the issuer"),
            (204, "", nil, "not of the issuer"),
            // What is not needed is not judged.
            (200, #"{"access_token":"a"}"#, nil, "granted"), (201, #"{"access_token":"a"}"#, nil, "granted"),
            (200, #"{"access_token":"a","token_type":"","refresh_token":"","id_token":"","scope":""}"#, nil, "granted"),
            (
                200, #"{"access_token":"a","token_type":7,"refresh_token":7,"expires_in":[],"id_token":{}}"#, nil,
                "granted"
            ),
            (200, #"{"access_token":"a","error":"","x":{"y":[null]}}"#, nil, "granted"),
            (200, #"{"access_token":"","error":"invalid_grant"}"#, nil, "grant"),
            (200, #"{"error":"invalid_grant"}"#, nil, "grant"), (200, #"{"error":"whatever"}"#, nil, "other"),
            (200, #"{"error":"x","access_token":7,"token_type":"Bearer"}"#, nil, "unusable"),
            (400, #"{"error":"invalid_grant"}"#, nil, "grant"), (400, "", nil, "unexplained"),
            (400, #"{"message":"no"}"#, nil, "unexplained"), (400, "<html>", nil, "other"),
            (400, #"{"error":"invalid_request"}"#, nil, "other"), (400, #"{"error":"whatever"}"#, nil, "other"),
            (401, "", nil, "client"), (401, "<html>", nil, "client"), (401, #"{"error":"whatever"}"#, nil, "other"),
            (400, #"{"error":"invalid_client"}"#, nil, "client"), (401, #"{"error":"invalid_client"}"#, nil, "client"),
            (400, #"{"error":"unauthorized_client"}"#, nil, "client"),
            (400, #"{"error":"invalid_scope"}"#, nil, "scope"),
            (400, #"{"error":"invalid_target"}"#, nil, "target"),
            (400, #"{"error":"unsupported_grant_type"}"#, nil, "other"),
            (400, #"{"error":"interaction_required"}"#, nil, "needsPerson"), (403, "", nil, "other"),
            (404, "<html>", nil, "other"), (302, "", nil, "redirect"), (429, "", 7, "later 7"), (503, "", nil, "later"),
            (502, "", 3, "later 3"), (504, "", nil, "no answer"), (502, "", nil, "no answer"),
            (500, "", 3, "no answer"),
        ] as [(Int, String, Int?, String)])
    func anAnswerToARenewal(_ row: (status: Int, body: String, retryAfter: Int?, meaning: String)) {
        let answer = Answer(status: row.status, body: Array(row.body.utf8), retryAfter: row.retryAfter)
        let meaning =
            switch TokenAnswer(answer) {
            case .granted: "granted"
            case .rejected(let rejection): "\(rejection.kind)"
            case .later(_, let seconds): "later" + (seconds.map { " \($0)" } ?? "")
            case .notSent: "not sent"
            case .unusable(let answer):
                answer.isOfIssuer
                    ? "unusable"
                        + (answer.refreshToken.map { " with " + $0.withBytes { String(decoding: $0, as: UTF8.self) } }
                            ?? "")
                    : "not of the issuer"
            case .noAnswer: "no answer"
            }
        #expect(meaning == row.meaning)
    }

    /// What the answer to a poll of the device flow means.
    @Test(arguments: [
        (200, #"{"access_token":"a","token_type":"bearer"}"#, "granted"),
        (400, #"{"error":"authorization_pending"}"#, "pending"), (400, #"{"error":"slow_down"}"#, "slow down"),
        (403, #"{"error":"authorization_pending"}"#, "pending"), (400, #"{"error":"expired_token"}"#, "expired"),
        (400, #"{"error":"access_denied"}"#, "denied"), (400, #"{"error":"invalid_grant"}"#, "grant"),
        // Not known any more, in one issuer's own word.
        (404, #"{"error":"device_not_found"}"#, "other"), (401, "", "client"), (429, "", "later"), (503, "", "later"),
        (500, "", "no answer"), (200, "<html>", "no answer"), (200, #"{"x":1}"#, "unusable"),
    ])
    func anAnswerToAPoll(_ row: (status: Int, body: String, meaning: String)) {
        let meaning =
            switch DeviceAnswer(TokenAnswer(Answer(status: row.status, body: Array(row.body.utf8)))) {
            case .granted: "granted"
            case .pending: "pending"
            case .slowDown: "slow down"
            case .expired: "expired"
            case .rejected(let rejection): "\(rejection.kind)"
            case .later: "later"
            case .unusable: "unusable"
            case .noAnswer: "no answer"
            }
        #expect(meaning == row.meaning)
    }

    /// Empty members count as missing, and scopes may be a list.
    @Test func emptyMembersOfATokenAnswer() throws {
        let body = #"{"access_token":"a","refresh_token":"","id_token":"","scope":["b","a"],"expires_in":""}"#
        guard case .granted(let grant) = TokenAnswer(Answer(status: 200, body: Array(body.utf8))) else {
            Issue.record("not granted")
            return
        }
        #expect(grant.type == .bearer && grant.refreshToken == nil && grant.idToken == nil && grant.lifetime == nil)
        #expect(grant.scopes == Scopes("a b"))
    }

    @Test(
        arguments: [
            ("300", 300), (#""300""#, 300), ("299.9", 299), ("1e12", 315_360_000), ("0", nil), ("-1", nil),
            ("null", nil),
            (#""soon""#, nil), ("[]", nil),
        ] as [(String, Int64?)])
    func howLongATokenLives(_ row: (told: String, lifetime: Int64?)) throws {
        let body = #"{"access_token":"a","expires_in":\#(row.told)}"#
        guard case .granted(let grant) = TokenAnswer(Answer(status: 200, body: Array(body.utf8))) else {
            Issue.record("not granted")
            return
        }
        #expect(grant.lifetime == row.lifetime)
    }

    /// What a person is shown in the device flow; nil where the answer lacks what is needed.
    @Test(
        arguments: [
            (#""user_code":"AB-CD","verification_uri":"https://fern.example/d""#, "https://fern.example/d - 600 5"),
            (#""user_code":"AB-CD","verification_url":"https://fern.example/d""#, "https://fern.example/d - 600 5"),
            (
                #""user_code":"A","verification_uri":"https://a.example/d","verification_uri_complete":"https://a.example/d?c=A","expires_in":1800,"interval":0"#,
                "https://a.example/d https://a.example/d?c=A 1800 1"
            ),
            (
                #""user_code":"A","verification_uri":"https://a.example/d","verification_uri_complete":"https://b.example/d?c=A","interval":1e9"#,
                "https://a.example/d - 600 300"
            ),
            (#""user_code":"A","verification_uri":"http://fern.example/d""#, nil),
            (#""user_code":"","verification_uri":"https://fern.example/d""#, nil),
            (#""verification_uri":"https://fern.example/d""#, nil), (#""user_code":"A""#, nil),
        ] as [(String, String?)])
    func aCodeToEnter(_ row: (members: String, shown: String?)) throws {
        let code = DeviceCode(try #require(JSON.object(in: Array("{\(row.members)}".utf8))))
        let shown = code.map { "\($0.page.text) \($0.wholePage?.text ?? "-") \($0.lifetime) \($0.interval)" }
        #expect(shown == row.shown)
    }
}
