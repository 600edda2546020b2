import Basics
import FoundationEssentials
import NIOCore
import NIOPosix
import NIOSSL
import ApprovalModel
import Testing
@testable import Web
@testable import SaltEdge

@Suite struct TransportTests {
    private static let hasty = Transport.Patience(connect: 3, whole: 3)
    /// For calls that end without a connection.
    private static let hastyToConnect = Transport.Patience(connect: 2, whole: 600)

    /// The kinds of calls: a GET, a change with a body, a change without one.
    private func calls(_ base: WebAddress) -> [Call] {
        [Call("GET", base), Call("PUT", base, body: Array("{}".utf8)), Call("DELETE", base)]
    }

    private func codes(
        _ reply: ScriptedBank.Reply, limit: Int = Call.Limit.single, patience: Transport.Patience = Fixture.patient
    ) async throws -> [BankError.Kind?] {
        try await Fixture.overTransport(patience: patience) { transport in
            try await ScriptedBank.serve({ _ in reply }) { bank in
                var codes: [BankError.Kind?] = []
                for var call in calls(bank.base) {
                    call.limit = limit
                    codes.append(await code { try await transport.ask(call) })
                }
                return codes
            }
        }
    }

    @Test(arguments: [
        ScriptedBank.Reply.stall(""), .stall(#"{"data":"#), .cut(#"{"data":"#), .drop,
    ])
    func noWholeAnswerToAChangeLeavesOpenWhatItDid(_ reply: ScriptedBank.Reply) async throws {
        #expect(try await codes(reply, patience: Self.hasty) == [.unreachable(), .noAnswer, .noAnswer])
    }

    @Test func answersHaveLimits() async throws {
        #expect(try await codes(.flood(2 << 20)) == [.tooLarge, .tooLarge, .tooLarge])
        #expect(try await codes(.flood(1 << 20)) == [nil, nil, nil])
        #expect(try await codes(.flood(17 << 20), limit: Call.Limit.list) == [.tooLarge, .tooLarge, .tooLarge])
        #expect(try await codes(.flood(15 << 20), limit: Call.Limit.list) == [nil, nil, nil])
    }

    @Test func listsMayBeLongAndOthersNot() async throws {
        try await Fixture.asking({ _ in .flood(2 << 20) }) { service, _ in
            #expect(await code { try await service.authorizations() } == .malformedAnswer)
            #expect(await code { try await service.consents() } == .malformedAnswer)
            #expect(await code { try await service.authorization(try #require(BankID("1"))) } == .tooLarge)
        }
        try await Fixture.asking({ _ in .flood(17 << 20) }) { service, _ in
            #expect(await code { try await service.authorizations() } == .tooLarge)
            #expect(await code { try await service.consents() } == .tooLarge)
        }
    }

    @Test func whereNothingListensNothingWasSent() async throws {
        let base = try await ScriptedBank.serve({ _ in .drop }) { $0.base }
        try await Fixture.overTransport(patience: Self.hastyToConnect) { transport in
            for call in calls(base) { #expect(await code { try await transport.ask(call) }?.isUnreachable == true) }
        }
    }

    @Test func anUnknownNameIsUnreachable() async throws {
        try await Fixture.overTransport { transport in
            for call in calls(try WebAddress("https://bank.invalid")) {
                #expect(await code { try await transport.ask(call) }?.isUnreachable == true)
            }
        }
    }

    @Test func aCancelledCallIsAnsweredAtOnce() async throws {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .stall("") }) { bank in
                let task = Task { await code { try await transport.ask(Call("GET", bank.base)) } }
                while bank.requests.isEmpty { await Task.yield() }
                task.cancel()
                #expect(await task.value == .unreachable())
            }
        }
    }

    @Test func theRequestStandsOnTheWireAsItWasMade() async throws {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text("{}") }) { bank in
                let address = try WebAddress(bank.base.text + "/a%2Fb//c%20d/?x=%7B&y#never")
                _ = try await transport.ask(Call("PATCH", address, body: Array("{\"é\":1}".utf8)))
                let request = try #require(bank.requests.first)
                #expect(request.method == "PATCH" && request.target == "/a%2Fb//c%20d/?x=%7B&y")
                #expect(request.text == "{\"é\":1}")
                #expect(request.header("Content-Length") == "8" && request.header("Transfer-Encoding") == nil)
                #expect(request.header("Host") == bank.base.hostForPeople)
            }
        }
    }

    @Test func localhostIsThisMachineWhateverTheNameServiceSays() async throws {
        try await Fixture.overTransport { transport in
            try await ScriptedBank.serve({ _ in .text("{}") }) { bank in
                let port = try #require(bank.base.port)
                _ = try await transport.ask(Call("GET", try WebAddress("http://localhost:\(port)/x")))
                #expect(bank.requests.map { $0.header("Host") } == ["localhost:\(port)"])
            }
        }
    }

    // MARK: TLS

    private static func tls(_ certificate: String, minimum: TLSVersion = .tlsv12, maximum: TLSVersion? = nil) throws
        -> NIOSSLContext
    {
        let path = Fixture.root.appending(path: "Keys/").path
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile("\(path)/\(certificate).crt").map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: "\(path)/tls-server.pem", format: .pem)))
        configuration.minimumTLSVersion = minimum
        configuration.maximumTLSVersion = maximum
        return try NIOSSLContext(configuration: configuration)
    }

    private static let authorities = Fixture.root.appending(path: "Keys/tls-authority.crt").path

    @Test func anExtraAuthorityIsTrusted() async throws {
        try await Fixture.overTransport(authorities: Self.authorities) { transport in
            try await ScriptedBank.serve(tls: try Self.tls("tls-localhost"), { _ in .text("{}") }) { bank in
                let answer = try await transport.ask(Call("GET", bank.base))
                #expect(answer.status == 200)
            }
        }
    }

    @Test(
        arguments: [
            ("tls-localhost", nil, .untrusted, .tlsv12, nil), ("tls-otherhost", authorities, .otherHost, .tlsv12, nil),
            ("tls-localhost", authorities, nil, .tlsv1, .tlsv11),
        ] as [(String, String?, CallError.Obstacle?, TLSVersion, TLSVersion?)])
    func withoutGoodTLSNothingIsSent(
        _ certificate: String, _ authorities: String?, _ fault: CallError.Obstacle?, _ minimum: TLSVersion,
        _ maximum: TLSVersion?
    ) async throws {
        try await Fixture.overTransport(authorities: authorities) { transport in
            let tls = try Self.tls(certificate, minimum: minimum, maximum: maximum)
            try await ScriptedBank.serve(tls: tls, { _ in .text("{}") }) { bank in
                for call in calls(bank.base) {
                    #expect(await code { try await transport.ask(call) } == .unreachable(fault))
                }
                #expect(bank.requests.isEmpty)
            }
        }
    }

    @Test func aFileWithoutAuthoritiesIsRefused() {
        for path in ["/nonexistent", Fixture.root.appending(path: "Package.swift").path] {
            #expect(throws: TransportError.badAuthorities) { try Transport(authorities: path) }
        }
    }

    // MARK: Proxies

    @Test(arguments: [
        (["HTTPS_PROXY": "http://proxy.example:3128"], "https://bank.example/x", true),
        (["https_proxy": "proxy.example:3128"], "https://bank.example/x", true),
        (["HTTPS_PROXY": "socks5://proxy.example"], "https://bank.example/x", true),
        (["HTTPS_PROXY": "http://user:p%40ss@[::1]:3128/"], "https://bank.example/x", true),
        (["HTTPS_PROXY": "http://proxy.example:3128"], "https://localhost/x", false),
        (["HTTPS_PROXY": "http://proxy.example:3128"], "http://127.0.0.1:8585/x", false),
        (["HTTPS_PROXY": "http://proxy.example:3128"], "https://[::1]/x", false),
        (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "bank.example"], "https://bank.example/x", false),
        (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "a, .Example ,b"], "https://bank.example/x", false),
        (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "*.example"], "https://bank.example/x", false),
        (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "bank.example:8443"], "https://bank.example:8443/x", false),
        (["HTTPS_PROXY": "http://p:1", "no_proxy": "*"], "https://bank.example/x", false),
        (["HTTPS_PROXY": "http://p:1", "NO_PROXY": "ank.example,other"], "https://bank.example/x", true),
        (["HTTPS_PROXY": ""], "https://bank.example/x", false), ([:], "https://bank.example/x", false),
    ])
    func proxySettings(_ environment: [String: String], _ address: String, _ applies: Bool) throws {
        #expect(try ProxySettings(environment: environment).applies(to: try WebAddress(address)) == applies)
    }

    @Test(arguments: ["https://proxy.example", "ftp://x", "http://", "http://x:0", "http://x:port", "socks5://u:p@x"])
    func faultyProxies(_ text: String) {
        #expect(throws: TransportError.badProxy) { try Transport(environment: ["HTTPS_PROXY": text]) }
    }

    @Test func aProxyIsAskedForBanksAndNeverForLoopback() async throws {
        // The scripted server is not a proxy: it receives the CONNECT and refuses it.
        try await ScriptedBank.serve({ _ in .text("no", status: 403) }) { proxy in
            try await ScriptedBank.serve({ _ in .text("{}") }) { bank in
                let environment = ["HTTPS_PROXY": proxy.base.text]
                try await Fixture.overTransport(patience: Self.hastyToConnect, environment: environment) { transport in
                    for call in calls(try WebAddress("https://bank.example:8443/x")) {
                        #expect(await code { try await transport.ask(call) }?.isUnreachable == true)
                    }
                    #expect(
                        proxy.requests.map { "\($0.method) \($0.target)" }
                            == Array(repeating: "CONNECT bank.example:8443", count: 3))
                    _ = try await transport.ask(Call("GET", bank.base))
                    #expect(bank.requests.count == 1 && proxy.requests.count == 3)
                }
            }
        }
    }

    @Test func throughAProxyTheTLSIsTheBanks() async throws {
        try await ScriptedBank.serve(tls: try Self.tls("tls-otherhost"), { _ in .text("{}") }) { bank in
            try await TunnelProxy.serve(leadingTo: try #require(bank.base.port)) { proxy, seen in
                let environment = ["https_proxy": "http://ada:s%20cret@\(proxy)"]
                try await Fixture.overTransport(authorities: Self.authorities, environment: environment) { transport in
                    _ = try await transport.ask(Call("GET", try WebAddress("https://other.example/x")))
                    #expect(seen.all.map { "\($0.method) \($0.target)" } == ["CONNECT other.example:443"])
                    #expect(seen.all.first?.header("Proxy-Authorization") == "Basic YWRhOnMgY3JldA==")
                    #expect(bank.requests.map { $0.header("Host") } == ["other.example"])
                    #expect(bank.requests.first?.header("Proxy-Authorization") == nil)
                    // A certificate for another host is refused behind a proxy too.
                    let strange = Call("DELETE", try WebAddress("https://bank.example/x"))
                    #expect(await code { try await transport.ask(strange) }?.isUnreachable == true)
                    #expect(bank.requests.count == 1)
                }
            }
        }
    }

    // MARK: Small parts

    @Test(arguments: [
        ("PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n", "Debian GNU/Linux 12 (bookworm)"),
        ("ID=x\nPRETTY_NAME=Ärch; \u{7}Linux", "rch Linux"), ("", "unknown"),
    ])
    func userAgent(_ osRelease: String, _ name: String) {
        #expect(UserAgent.make(osRelease: osRelease) == "Countersign/\(ProductVersion.text); Linux; \(name)")
        #expect(UserAgent.text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Tue, 01 Jan 2030 00:00:00 GMT", 1_893_456_000),
            ("Tue, 1 Jan 2030 00:00:00 GMT", 1_893_456_000), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("", nil),
            ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("Sun, 31 Feb 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil),
        ] as [(String, Double?)])
    func httpDates(_ text: String, _ seconds: Double?) {
        #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds)
    }
}
