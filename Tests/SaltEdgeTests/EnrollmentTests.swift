import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
@testable import SaltEdge
import Testing
@testable import Web

@Suite struct EnrollmentTests {
    private static let returnURL = "http://127.0.0.1:4711/c/9f"

    private func configuration(_ document: String, path: String = "/sca.json") async throws -> BankConfiguration {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ request in
                .text(
                    document.replacing("BASE", with: "http://\(request.header("Host") ?? "")"),
                    headers: [("Content-Type", "text/html")])
            }) { bank in
                try await Fixture.banks(transport).configuration(at: try WebAddress(bank.base.text + path))
            }
        }
    }

    // MARK: Configuration, v1

    @Test(arguments: [
        #"{"data":{"connect_url":"https://sca.fern.example/","code":"fern","name":"Fern Bank","version":"1"}}"#,
        #"{"data":{"connect_url":"https://sca.fern.example/?x#y","code":"fern","name":"Fern Bank","version":1,"foreign":[]}}"#,
        #"{"data":{"connect_url":"https://SCA.fern.example:443","code":"fern","name":"Fern Bank","version":"1","support_email":"","geolocation_required":null,"consent_management":null,"logo_url":null}}"#,
        #"{"data":{"connect_url":"https://sca.fern.example","code":"fern","name":"Fern Bank","version":"1","support_email":7,"geolocation_required":"yes","logo_url":{}}}"#,
    ])
    func onlyFourMembersAreNeeded(_ document: String) async throws {
        let read = try await configuration(document)
        #expect(read.wireProtocol == .saltEdgeV1)
        #expect(read.baseURL.text == "https://sca.fern.example")
        #expect(read.code == BankText("fern") && read.name == BankText("Fern Bank"))
        #expect(read.supportEmail == nil && read.geolocationRequired == nil && read.providerKey == nil)
        #expect(read.source.path == "/sca.json")
    }

    @Test(arguments: [("true", true), ("false", false), ("null", nil)] as [(String, Bool?)])
    func whatElseItSays(_ text: String, _ required: Bool?) async throws {
        let read = try await configuration(
            #"{"data":{"connect_url":"BASE/gw","code":"f","name":"F","version":"1","support_email":"h@f.example","geolocation_required":\#(text)}}"#
        )
        #expect(read.geolocationRequired == required)
        #expect(read.supportEmail == BankText("h@f.example"))
        #expect(read.baseURL.path == "/gw" && read.baseURL.scheme == "http")
    }

    @Test(arguments: [
        (#"{"data":{"connect_url":"https://b.example","code":"f","name":"F"}}"#, BankError.Kind.malformedAnswer),
        (#"{"data":{"connect_url":"https://b.example","code":"f","name":"F","version":"2"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"https://b.example","code":"f","name":"F","version":1.5}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"https://b.example","code":"","name":"F","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"https://b.example","code":"f","name":"","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"https://b.example","name":"F","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"code":"f","name":"F","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"","code":"f","name":"F","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"https://gw","code":"f","name":"F","version":"1"}}"#, .malformedAnswer),
        (#"{"data":{"connect_url":"http://b.example","code":"f","name":"F","version":"1"}}"#, .insecure),
        (#"{"connect_url":"https://b.example","code":"f","name":"F","version":"1"}"#, .malformedAnswer),
        ("<html>", .malformedAnswer), ("", .malformedAnswer),
    ])
    func faultyDocuments(_ document: String, _ expected: BankError.Kind) async {
        #expect(await code { try await configuration(document) } == expected)
    }

    @Test func plainHTTPOnlyWhereTheConfigurationIsLoopbackToo() throws {
        let local = try WebAddress("http://127.0.0.1:8585/x")
        let remote = try WebAddress("https://b.example/x")
        #expect(
            local.isAllowed(besides: local) && remote.isAllowed(besides: local) && remote.isAllowed(besides: remote))
        #expect(!local.isAllowed(besides: remote))
    }

    @Test func theConfigurationCallIsBare() async throws {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text("{}") }) { bank in
                _ = try? await Fixture.banks(transport).configuration(at: bank.base)
                let request = try #require(bank.requests.first)
                #expect(request.method == "GET" && request.body.isEmpty)
                #expect(request.header("User-Agent")?.hasPrefix("Countersign/") == true)
                for name in ["Access-Token", "Signature", "Expires-at"] { #expect(request.header(name) == nil) }
            }
        }
    }

    // MARK: Redirects of the configuration

    private static let document = #"{"data":{"connect_url":"https://b.example","code":"f","name":"F","version":"1"}}"#

    @Test(
        arguments: [
            (["/1", "/2", "BASE/3"], nil), (["/1", "/2", "/3", "/4"], .refused), (["http://localhost:1/x"], .insecure),
            (["https://evil.example/x"], .insecure), (["//evil.example/x"], .insecure),
            (["http://evil.example"], .insecure),
            (["ftp://x"], .insecure), (["other"], .insecure), (["/a", "https://evil.example/"], .insecure),
        ] as [([String], BankError.Kind?)])
    func redirects(_ path: [String], _ expected: BankError.Kind?) async throws {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ request in
                let step =
                    request.target == "/start" ? 0 : path.prefix { !request.target.hasSuffix($0.suffix(2)) }.count + 1
                guard step < path.count else { return .text(Self.document) }
                let target = path[step].replacing("BASE", with: "http://\(request.header("Host") ?? "")")
                return .text("", status: 302, headers: [("Location", target)])
            }) { bank in
                let start = try WebAddress(bank.base.text + "/start")
                var read: BankConfiguration?
                #expect(await code { read = try await Fixture.banks(transport).configuration(at: start) } == expected)
                #expect(read?.source == (expected == nil ? start : nil))
            }
        }
    }

    // MARK: Creating a connection, v1

    private func create(_ answer: String, status: Int = 200, query: String? = nil) async throws
        -> (CreatedConnection, ScriptedBank.Request)
    {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text(answer, status: status) }) { bank in
                let created = try await Fixture.banks(transport).create(
                    at: Fixture.configuration(.saltEdgeV1, bank.base), publicKey: "PEM\n", returnURL: Self.returnURL,
                    connectQuery: query.map(BankText.init))
                return (created, try #require(bank.requests.first))
            }
        }
    }

    @Test func whatIsSent() async throws {
        let answer = #"{"data":{"id":"812","connect_url":"https://fern.example/login?s=9f#top"}}"#
        let (_, request) = try await create(answer, query: "k7+=\u{e9}/")
        #expect(request.method == "POST" && request.target == "/api/authenticator/v1/connections")
        #expect(
            request.text
                == #"{"data":{"public_key":"PEM\u000a","return_url":"http://127.0.0.1:4711/c/9f","platform":"android","push_token":"","provider_code":"9","connect_query":"k7+=\u00e9/"}}"#
        )
        for name in ["Access-Token", "Signature", "Expires-at"] { #expect(request.header(name) == nil) }
        let (_, bare) = try await create(answer)
        #expect(!bare.text.contains("connect_query"))
    }

    /// The answers of saltedge-v1 section 4.2, in its order.
    @Test(
        arguments: [
            (
                #"{"data":{"id":"812","connect_url":"https://fern.example/login?s=9f#top"}}"#, "812",
                "page https://fern.example/login?s=9f#top"
            ),
            (
                #"{"data":{"id":812,"connect_url":"https://fern.example/login","access_token":""}}"#, "812",
                "page https://fern.example/login"
            ),
            (#"{"data":{"connect_url":"https://fern.example/login"}}"#, nil, "page https://fern.example/login"),
            (#"{"data":{"id":"812","access_token":"Zt4m0"}}"#, "812", "token Zt4m0"),
            (
                #"{"data":{"id":"812","access_token":"Zt4m0","connect_url":"https://fern.example/login"}}"#, "812",
                "token Zt4m0"
            ),
            (
                #"{"data":{"id":"812","connect_url":"http://127.0.0.1:4711/c/9f?id=812&access_token=Zt4m0"}}"#, "812",
                "redirect http://127.0.0.1:4711/c/9f?id=812&access_token=Zt4m0"
            ),
            (
                #"{"data":{"id":"812","connect_url":"authenticator://oauth/redirect?error_class=AUTH_SESSION_MISSING"}}"#,
                "812", "redirect authenticator://oauth/redirect?error_class=AUTH_SESSION_MISSING"
            ),
            (
                #"{"data":{"id":"812","connect_url":"http://127.0.0.1:4711/c/9fx?access_token=a"}}"#, "812",
                "page http://127.0.0.1:4711/c/9fx?access_token=a"
            ),
        ] as [(String, String?, String)])
    func threeAnswers(_ answer: String, _ id: String?, _ expected: String) async throws {
        let (created, _) = try await create(answer)
        #expect(created.id?.text == id)
        let next =
            switch created.next {
            case .token(let token): "token " + token.withBytes { String(decoding: $0, as: UTF8.self) }
            case .redirect(let address): "redirect " + address
            case .page(let page): "page " + page.text
            }
        #expect(next == expected)
    }

    @Test(arguments: [
        (#"{"data":{"id":"812"}}"#, 200, BankError.Kind.malformedAnswer),
        (#"{"data":{"access_token":"a"}}"#, 200, .malformedAnswer),
        (#"{"data":{"id":"812","access_token":"a b"}}"#, 200, .malformedAnswer),
        (#"{"data":{"id":"812","access_token":"a\r\nX: y"}}"#, 200, .malformedAnswer),
        (#"{"data":{"id":"812","connect_url":"javascript:alert(1)"}}"#, 200, .malformedAnswer),
        (#"{"data":{"id":"812","connect_url":"http://fern.example/login"}}"#, 200, .malformedAnswer),
        (#"{"data":{"id":"","connect_url":"https://fern.example"}}"#, 200, .malformedAnswer),
        ("", 400, .refused), (#"{"error_class":"BadRequest"}"#, 400, .refused), ("<html>", 500, .refused),
    ])
    func faultyAnswers(_ answer: String, _ status: Int, _ expected: BankError.Kind) async {
        #expect(await code { try await create(answer, status: status) } == expected)
    }

    @Test func aRemoteBankCannotOpenAPageOnThisMachine() async throws {
        var new = NewConnection(
            configuration: Fixture.configuration(.saltEdgeV1, try WebAddress("https://b.example")), publicKey: "",
            returnURL: Self.returnURL, platform: "android")
        let page = "http://127.0.0.1:631/admin"
        #expect { try new.next(page, Answer(status: 200)) } throws: { ($0 as? BankError)?.kind == .insecure }
        new.configuration.source = try WebAddress("http://localhost:8585")
        guard case .page = try new.next(page, Answer(status: 200)) else { throw BankError(.refused, "no page") }
    }

    @Test(arguments: ["", "a b", "a\n", "é", "\u{7f}", String(repeating: "a", count: 4097)])
    func tokensThatAreNone(_ token: String) async throws {
        try await Fixture.overTransport { transport in
            let configuration = Fixture.configuration(.saltEdgeV1, try WebAddress("https://b.example"))
            #expect {
                try Fixture.banks(transport).token(
                    in: .init(accessToken: BankText(token), id: nil), for: configuration, key: try Fixture.key())
            } throws: { ($0 as? BankError)?.kind == .malformedAnswer }
        }
    }
}
