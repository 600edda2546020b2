import Basics
import DemoBank
import FoundationEssentials
import ApprovalModel
import Cryptography
@testable import SaltEdge
import Testing
@testable import Web

@Suite struct V2EnrollmentTests {
    private static let returnURL = "http://127.0.0.1:4711/c/9f"

    // MARK: Configuration

    private func read(_ members: [String: String]) throws -> BankConfiguration {
        var all = [
            "sca_service_url": #""https://sca.example/""#, "api_version": #""2""#, "provider_id": "9",
            "provider_name": #""Fern Bank""#, "provider_public_key": try json(try Fixture.key().publicKeyPEM),
        ]
        all.merge(members) { $1 }
        let document = "{\"data\":{" + all.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}}"
        return try V2Configuration.read(
            Answer(status: 200, body: Array(document.utf8)),
            from: try WebAddress("https://sca.example/authenticator/v2/c"))
    }

    private func json(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    @Test(arguments: [
        [:], ["api_version": "2", "provider_id": #""9""#, "foreign": "[]"],
        ["provider_support_email": "null", "provider_logo_url": "7", "geolocation_required": "null"],
    ])
    func whatIsNeeded(_ members: [String: String]) throws {
        let read = try read(members)
        #expect(read.wireProtocol == .saltEdgeV2 && read.baseURL.text == "https://sca.example")
        #expect(read.code == BankText("9") && read.name == BankText("Fern Bank") && read.supportEmail == nil)
        #expect(read.geolocationRequired == nil)
        #expect(try read.providerKey == Fixture.key().publicKeyPEM)
    }

    @Test func whatElseItSays() throws {
        let read = try read(["provider_support_email": #""h@f.example""#, "geolocation_required": "true"])
        #expect(read.supportEmail == BankText("h@f.example") && read.geolocationRequired == true)
    }

    @Test(arguments: [
        ["api_version": #""1""#], ["api_version": "null"], ["provider_id": #""""#], ["provider_id": "null"],
        ["provider_name": #""""#], ["provider_public_key": #""PEM""#], ["provider_public_key": "null"],
        ["sca_service_url": #""https://gw""#],
    ])
    func faultyDocuments(_ members: [String: String]) {
        #expect { try read(members) } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
    }

    @Test func aServiceThatIsNotHTTPSIsInsecure() {
        #expect { try read(["sca_service_url": #""http://sca.example""#]) } throws: {
            ($0 as? BankError)?.kind == .insecure
        }
    }

    struct KeyVector: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var pem: String
        var spki: String?
        var testDescription: String { name }
    }

    private static let keyVectors: [KeyVector] = {
        guard let json = try? Fixture.file("Fixtures/crypto/public-keys.json") else { return [] }
        return (try? JSONDecoder().decode([KeyVector].self, from: Data(json.utf8))) ?? []
    }()

    @Test(arguments: keyVectors) func providerKeysInEveryForm(_ vector: KeyVector) throws {
        let read = try? read(["provider_public_key": try json(vector.pem)])
        #expect(read?.providerKey == vector.spki)
    }

    @Test func thereAreKeyVectors() {
        #expect(Self.keyVectors.count > 20)
    }

    // MARK: Creating a connection

    private func create(_ answer: String, query: String? = nil) async throws -> (
        CreatedConnection, ScriptedBank.Request
    ) {
        let provider = try Fixture.key("foreign-2048.pem").publicKeyPEM
        return try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text(answer) }) { bank in
                let created = try await Fixture.banks(transport).create(
                    at: Fixture.configuration(.saltEdgeV2, bank.base, providerKey: provider),
                    publicKey: try Fixture.key().publicKeyPEM, returnURL: Self.returnURL,
                    connectQuery: query.map(BankText.init))
                return (created, try #require(bank.requests.first))
            }
        }
    }

    private struct Sent: Decodable {
        struct Members: Decodable {
            var provider: String
            var returnURL: String
            var platform: String
            var connectQuery: String?
            var pushToken: String?
            var key: [String: String]

            enum CodingKeys: String, CodingKey {
                case platform
                case provider = "provider_id"
                case returnURL = "return_url"
                case connectQuery = "connect_query"
                case pushToken = "push_token"
                case key = "enc_rsa_public_key"
            }
        }
        var data: Members
        var exp: Int?
    }

    @Test(arguments: [nil, "q-17"]) func ourKeyIsSentSealed(_ query: String?) async throws {
        let (created, request) = try await create(
            #"{"data":{"connection_id":5521,"authentication_url":"https://127.0.0.1:1/auth?c=5521"}}"#, query: query)
        #expect(created.id?.text == "5521")
        guard case .page(let page) = created.next else { throw BankError(.refused, "no page") }
        #expect(page.text == "https://127.0.0.1:1/auth?c=5521")
        #expect(request.method == "POST" && request.target == "/api/authenticator/v2/connections")
        for name in ["Access-Token", "x-jws-signature"] { #expect(request.header(name) == nil) }
        let sent = try JSONDecoder().decode(Sent.self, from: Data(request.body))
        #expect(sent.exp == nil && sent.data.pushToken == nil && sent.data.connectQuery == query)
        #expect(
            sent.data.provider == "9" && sent.data.returnURL == Self.returnURL && sent.data.platform == "android")
        let sealed = sent.data.key
        #expect(sealed.count == 3 && !sealed.values.contains { $0.contains("\n") })
        let envelope = Envelope(
            algorithm: nil, key: sealed["key"] ?? "", iv: sealed["iv"] ?? "", data: sealed["data"] ?? "")
        let opened = try envelope.open(with: try Fixture.key("foreign-2048.pem")).withBytes {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(try opened == Fixture.key().publicKeyPEM)
    }

    @Test(arguments: [
        #"{"data":{"connection_id":"5521","authentication_url":"authenticator://oauth/redirect?error_class=X"}}"#,
        #"{"data":{"connection_id":"5521","authentication_url":"http://127.0.0.1:4711/c/9f?error_class=X"}}"#,
    ])
    func theAnswerCanBeTheRedirect(_ answer: String) async throws {
        guard case .redirect(let address) = try await create(answer).0.next else {
            throw BankError(.refused, "no redirect")
        }
        #expect(address.hasSuffix("?error_class=X"))
    }

    /// Where each path leads, from `/0` on; nil where that ends in a page for a browser.
    @Test(arguments: [
        (["http://127.0.0.1:4711/c/9f?access_token=T"], 1, "http://127.0.0.1:4711/c/9f?access_token=T"),
        (["/1", "authenticator://oauth/redirect?error_class=X"], 2, "authenticator://oauth/redirect?error_class=X"),
        (
            ["/1", "/2", "/3", "http://127.0.0.1:4711/c/9f?access_token=T"], 4,
            "http://127.0.0.1:4711/c/9f?access_token=T"
        ),
        (["/1", "/2", "/3", "/4", "http://127.0.0.1:4711/c/9f?access_token=T"], 4, nil),
        ([], 1, nil),
        (["http://127.0.0.1:4711/c/9fe?access_token=T"], 1, nil),
        (["http://fern.example/1", "http://127.0.0.1:4711/c/9f?access_token=T"], 1, nil),
        (["http://localhost:PORT/1", "http://127.0.0.1:4711/c/9f?access_token=T"], 1, nil),
        (["bank-app://1"], 1, nil),
    ])
    func anInstantLinkNeedsNoBrowser(_ steps: [String], _ looks: Int, _ end: String?) async throws {
        let provider = try Fixture.key("foreign-2048.pem").publicKeyPEM
        try await Fixture.overTransport { transport in
            let script: ScriptedBank.Script = { request in
                if request.method == "POST" {
                    let page = "http://\(request.header("Host") ?? "")/0"
                    return .text(#"{"data":{"connection_id":5521,"authentication_url":"\#(page)"}}"#)
                }
                guard let step = Int(request.target.dropFirst()), step < steps.count else { return .text("<html>") }
                let port = request.header("Host")?.split(separator: ":").last ?? ""
                let location = steps[step].replacing("PORT", with: port)
                return .text("", status: 302, headers: [("Location", location), ("Set-Cookie", "a=b")])
            }
            try await ScriptedBank.serve(script) { bank in
                for query in [BankText("q-17"), nil] {
                    let created = try await Fixture.banks(transport).create(
                        at: Fixture.configuration(.saltEdgeV2, bank.base, providerKey: provider),
                        publicKey: try Fixture.key().publicKeyPEM, returnURL: Self.returnURL, connectQuery: query)
                    switch created.next {
                    case .redirect(let address): #expect(query != nil && address == end)
                    case .page(let page): #expect((query == nil || end == nil) && page.path == "/0")
                    case .token: Issue.record("a token")
                    }
                }
                let seen = bank.requests.filter { $0.method == "GET" }
                #expect(seen.count == looks && !seen.contains { $0.header("Cookie") != nil })
            }
        }
    }

    @Test(arguments: [
        #"{"data":{"authentication_url":"https://fern.example"}}"#, #"{"data":{"connection_id":5521}}"#,
        #"{"data":{"connection_id":5521,"authentication_url":""}}"#,
        #"{"data":{"connection_id":5521,"access_token":"x"}}"#,
    ])
    func faultyAnswers(_ answer: String) async {
        #expect(await code { try await create(answer) } == .malformedAnswer)
    }

    // MARK: The token of a redirect (saltedge-v2 section 4.4)

    private static let value =
        "Bw+YUYfJ3cFu22QlhvjAyO3ix+RyN/tTh/5yaTx/X7gxCiD4r6B1qIXj00EYj0mn8mIoLATLmrVDKsNg5R5Rz0DGe8a9uWdSL83BTLBa/s4cIOAKvr13ATPpWh9DrW84hw4+ltX1WrZjBA0XHlnQe+cL8/laril6uboPbHaWWy04ywGYzSw/1j4KroECrvNxvfS1wsI9oXBKUQGBHpEfRPQpuydPqGqlVT8TKCkFKbAI9oVfhrKOIV7zU9UGB+gAzTS39Xxoyuw8Lm6oWDNfInn6KrStDrLUergaIGN6oSg5hXKE8Brdp7ZI4uSqZn0zHDyOsyOvQkw13Riq+D+eSQ=="

    private func token(_ parameter: String) throws -> String {
        let address = Self.returnURL + "?access_token=" + parameter
        guard case .grant(let grant) = Redirect.parse(address, returnURL: Self.returnURL) else {
            throw BankError(.refused, "no grant")
        }
        return try V2AccessToken.open(grant.accessToken, with: try Fixture.key()).withBytes {
            String(decoding: $0, as: UTF8.self)
        }
    }

    private func encoded(_ text: String) -> String {
        text.replacing("+", with: "%2B").replacing("/", with: "%2F").replacing("=", with: "%3D").replacing(
            "\n", with: "%0A")
    }

    private func wrapped(_ text: String, _ width: Int) -> String {
        stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) + "\n" }.joined()
    }

    @Test func everyAlphabetAndWrapping() throws {
        let urlSafe = Self.value.replacing("+", with: "-").replacing("/", with: "_")
        let forms = [
            Self.value, encoded(Self.value), Self.value.replacing("+", with: "%20"),
            Self.value.replacing("+", with: " "),
            urlSafe, String(urlSafe.dropLast(2)), String(Self.value.dropLast(2)), encoded(wrapped(Self.value, 60)),
            encoded(wrapped(Self.value, 60)).replacing("%0A", with: "%0D%0A"), encoded(wrapped(urlSafe, 76)),
        ]
        for form in forms { #expect(try token(form) == "tok-5f2c") }
    }

    private func sealed(_ texts: String...) throws -> String {
        let key = try RSAPublicKey(pem: try Fixture.key().publicKeyPEM)
        return Base64.encodeURL(try texts.flatMap { text in try Array(text.utf8).withUnsafeBytes(key.encrypt) })
    }

    @Test func severalBlocks() throws {
        #expect(try token(try sealed(#"{"access_to"#, #"ken":"tok"#, #"-2"}"#)) == "tok-2")
        #expect(try token(try sealed(#"{"foreign":[1],"access_token":"t"}"#)) == "t")
    }

    @Test func eachFaultHasItsOwnError() throws {
        func expect(_ expected: TokenError, _ parameter: String) {
            #expect(throws: expected) { try token(parameter) }
        }
        expect(.badBase64, "no!")
        expect(.badBase64, String(Self.value.prefix(341)))
        expect(.badBase64, "%0A")
        expect(.badLength, String(Self.value.prefix(340)))
        expect(.badLength, try sealed(Array(repeating: "x", count: 9)[0], "x", "x", "x", "x", "x", "x", "x", "x"))
        expect(
            .notForThisKey,
            encoded(String(Self.value.reversed().drop { $0 == "=" }.reversed()).replacing("Bw", with: "AA")))
        expect(.notJSON, try sealed("tok-bare"))
        expect(.notJSON, try sealed(#"["access_token"]"#))
        expect(.notJSON, try sealed(#"{"access_token":"#))
        expect(.noToken, try sealed(#"{"token":"x"}"#))
        expect(.noToken, try sealed(#"{"access_token":7}"#))
        expect(.noToken, try sealed(#"{"access_token":""}"#))
        expect(.noToken, try sealed(#"{"access_token":"a\r\nX: y"}"#))
    }

    @Test func aFaultIsToldAsAMalformedAnswer() async throws {
        try await Fixture.overTransport { transport in
            let configuration = Fixture.configuration(.saltEdgeV2, try WebAddress("https://sca.example"))
            #expect {
                try Fixture.banks(transport).token(
                    in: .init(accessToken: BankText("no!"), id: nil), for: configuration, key: try Fixture.key())
            } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
        }
    }
}
