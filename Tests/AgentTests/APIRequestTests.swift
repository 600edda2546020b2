@testable import AgentWire
@testable import Agent
import Foundation
import Testing

/// Requests with one fault each.
@Suite(.timeLimit(.minutes(2))) struct APIRequests {
    static let approve = "/authorizations/fernbank:77/approve"
    static let good = approve + "?fingerprint=" + APISamples.hex

    @Test func theGoodOneIsGood() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("POST", Self.good)
            #expect(answer.status == 200)
            #expect(fixture.agent.calls == ["approve fernbank:77 0123 - true - person"])
        }
    }

    /// With so many digits of the fingerprint.
    private static func short(_ count: Int) -> String { "\(approve)?fingerprint=\(APISamples.hex.prefix(count))" }

    static let faults: [(String, String, Int, String)] = [
        ("POST", approve, 400, "64 digits"),
        ("POST", short(0), 400, "64 digits"),
        ("POST", short(16), 400, "64 digits"),
        ("POST", short(63), 400, "64 digits"),
        ("POST", "\(good)0", 400, "64 digits"),
        ("POST", "\(short(63))g", 400, "64 digits"),
        ("POST", "\(short(63))F", 400, "64 digits"),
        ("POST", "\(short(62))%C3%A9", 400, "64 digits"),
        ("POST", "\(good)&fingerprint=\(APISamples.hex)", 400, "fingerprint is given twice"),
        ("POST", "\(good)&position=91,0", 400, "position"),
        ("POST", "\(good)&position=", 400, "position"),
        ("POST", "\(good)&waits=yes", 400, "waits is neither"),
        ("POST", "\(good)&pin=271828", 400, "not known here"),
        ("POST", "\(good)&waits=%f", 400, "percent escape"),
        ("POST", "\(good)&waits=%ff", 400, "percent escape"),
        ("POST", "/authorizations/%zz/approve?fingerprint=\(APISamples.hex)", 400, "percent escape"),
        ("POST", "/authorizations//approve?fingerprint=\(APISamples.hex)", 404, "nothing at this path"),
        ("POST", good.replacing("approve", with: "Approve"), 404, "nothing at this path"),
        ("POST", good.replacing("approve", with: "approve/"), 404, "nothing at this path"),
        ("POST", "/\(good)", 404, "nothing at this path"),
        ("GET", good, 405, "method not allowed"),
        ("PUT", "/connections/fernbank", 405, "method not allowed"),
        ("GET", "/nothing", 404, "nothing at this path"),
        ("GET", "/", 404, "nothing at this path"),
        ("GET", "/status?x=1", 400, "not known here"),
        ("GET", "/authorizations/77?abbreviated=1", 400, "abbreviated is neither"),
        ("DELETE", "/connections/fernbank?local_only", 400, "local_only is neither"),
        ("GET", "/history?limit=-1", 400, "limit"),
        ("GET", "/history?limit=1000000000", 400, "limit"),
        ("GET", "/history?since=yesterday", 400, "since"),
    ]

    @Test(arguments: faults)
    func aRequestWithAFaultIsRefused(_ method: String, _ path: String, _ status: Int, _ words: String) async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(method, path)
            #expect(answer.status == status)
            let failure = try answer.failure()
            #expect(failure.kind == .usage)
            #expect(failure.message.contains(words), "\(failure.message)")
            #expect(fixture.agent.calls == [])
        }
    }

    @Test(arguments: [
        ("POST", "/enrollments", ""), ("POST", "/enrollments", "{"), ("POST", "/enrollments", "[]"),
        ("POST", "/enrollments", "{}"), ("POST", "/enrollments", #"{"name":"a"}"#),
        ("POST", "/enrollments", #"{"link":"l","connection":"c","name":"n"}"#),
        ("POST", "/enrollments", #"{"connection":"c","name":"a"}"#),
        ("POST", "/enrollments", #"{"link":"l","name":"A"}"#), ("POST", "/enrollments", #"{"link":7}"#),
        ("PATCH", "/connections/fernbank", #"{"name":"-a"}"#), ("PATCH", "/connections/fernbank", "{}"),
        ("POST", "/actions", #"{"link":"l"}"#), ("POST", "/actions/candidates", #"{"link":null}"#),
        ("POST", "/actions/candidates", #"{"link":"l","pin":"271828"}"#),
        ("POST", "/actions/candidates", #"{"link":"l","":0}"#),
        ("POST", "/actions/candidates", #"{"link":"l","link":"l"}"#),
        ("POST", "/actions/candidates", #"{"link":"a\":{","l\u0069nk":"l"}"#),
        ("POST", "/actions", #"{"link":"l","connection":"c","name":"n"}"#),
        ("POST", "/enrollments", #"{"link":"l","whileConnected":true}"#),
        ("POST", "/enrollments", #"{"link":"l","return_url":"r"}"#),
        ("PATCH", "/connections/fernbank", #"{"name":"a","Name":"b"}"#),
    ])
    func aBodyWithAFaultIsRefused(_ method: String, _ path: String, _ body: String) async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(method, path, json: body)
            #expect(answer.status == 400)
            #expect(try answer.failure().kind == .usage)
            #expect(fixture.agent.calls == [])
        }
    }

    @Test func whatAMemberSaysIsNoMember() async throws {
        try await APIFixture.with { fixture in
            let body = #" { "link" : "{\"link\":[\"link\":\\" , "connection":":" } "#
            let answer = try await fixture.send("POST", "/actions", json: body)
            #expect(answer.status == 200)
        }
    }

    @Test func utf8AloneIsRead() async throws {
        try await APIFixture.with { fixture in
            for encoding: String.Encoding in [.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian] {
                let body = try #require(#"{"link":"l"}"#.data(using: encoding))
                let answer = try await fixture.send("POST", "/actions/candidates", body: .bytes(Array(body)))
                #expect(answer.status == 400)
            }
            #expect(fixture.agent.calls == [])
        }
    }

    /// One begun and broken would be done, and refused afterwards.
    @Test(arguments: [
        ("POST", "/lock"), ("POST", "/connections/fernbank/prove"),
        ("DELETE", "/connections/fernbank"), ("GET", "/status"), ("GET", "/events"), ("DELETE", "/enrollments/e-1"),
    ])
    func aBodyThatIsNotTakenIsRefused(_ method: String, _ path: String) async throws {
        try await APIFixture.with { fixture in
            for body in ["271828", "{}", String(repeating: "x", count: 70_000)] {
                let answer = try await fixture.send(method, path, json: body)
                #expect(answer.status == 400)
                #expect(try answer.failure().message == "no body is taken here")
            }
            #expect(fixture.agent.calls == [])
        }
    }

    @Test func aBodyBeyond64KiBIsRefused() async throws {
        try await APIFixture.with { fixture in
            func body(_ size: Int) -> String { #"{"link":""# + String(repeating: "x", count: size - 11) + #""}"# }
            let path = "/actions/candidates"
            #expect(try await fixture.send("POST", path, json: body(65536)).status == 200)
            let answer = try await fixture.send("POST", path, json: body(65537))
            #expect(answer.status == 413)
            #expect(try answer.failure().kind == .usage)
        }
    }

    @Test func aMethodThatIsNotServedIsToldWhichAre() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("PUT", "/connections/fernbank")
            #expect(answer["allow"] == "DELETE, PATCH")
            let options = try await fixture.send("OPTIONS", "/status")
            #expect(options.status == 405)
        }
    }

    @Test func aWebPageIsRefusedWhateverItAsks() async throws {
        try await APIFixture.with { fixture in
            for (method, path) in [("GET", "/status"), ("POST", Self.good), ("POST", "/lock"), ("GET", "/nothing")] {
                let answer = try await fixture.send(method, path, headers: [("Origin", "https://evil.example")])
                #expect(answer.status == 403)
                #expect(try answer.failure().kind == .usage)
            }
            #expect(try await fixture.send("GET", "/status", headers: [("Origin", "null")]).status == 403)
            #expect(fixture.agent.calls == [])
        }
    }

    // MARK: Who asks

    @Test func whoAsksIsKnownWithTheirDisplay() async throws {
        let terminal = try PseudoTerminal()
        try await APIFixture.with(hasTerminal: true) { fixture in
            let place = PromptPlace(
                environment: [
                    "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1", "XAUTHORITY": "/home/jürgen x/.Xauthority",
                    "TERM": "xterm-256color",
                ],
                tty: terminal.name)
            var other = place
            other.environment["LD_PRELOAD"] = "/tmp/evil.so"
            _ = try await fixture.operations(prompt: other).connections()
            var caller = try #require(fixture.agent.lastCaller)
            #expect(caller.prompt == place)
            #expect(caller.isPerson && caller.mayAsk && caller.isOwnProgram)
            _ = try await fixture.operations(mayAsk: false).connections()
            caller = try #require(fixture.agent.lastCaller)
            #expect(caller.prompt == PromptPlace())
            #expect(!caller.isPerson && !caller.mayAsk)
        }
        try await APIFixture.with(hasTerminal: false) { fixture in
            _ = try await fixture.operations().connections()
            #expect(fixture.agent.lastCaller?.isPerson == false)
            #expect(fixture.agent.lastCaller?.mayAsk == true)
        }
    }

    @Test func aDisplayThatCannotBeOneIsNotTold() async throws {
        try await APIFixture.with { fixture in
            let place = PromptPlace(
                environment: [
                    "DISPLAY": "a\r\nX: y", "TERM": "", "XAUTHORITY": String(repeating: "x", count: 1025),
                ], tty: "/dev/null")
            _ = try await fixture.operations(prompt: place).connections()
            #expect(fixture.agent.lastCaller?.prompt == PromptPlace())
        }
    }

    @Test(arguments: [
        ("Countersign-No-Input", "yes"), ("Countersign-TTY", "/etc/passwd"), ("Countersign-TTY", "pts/3"),
        ("Countersign-TTY", "/dev/null"), ("Countersign-TTY", "/dev/pts/../../etc/passwd"),
        ("Countersign-TTY", "/dev/tty"),
        ("Countersign-Display", "%0A"), ("Countersign-Display", "%"), ("Countersign-Term", "%00"),
        ("Countersign-XAuthority", String(repeating: "x", count: 1025)),
    ])
    func aHeaderWithAFaultIsRefused(_ name: String, _ value: String) async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("GET", "/connections", headers: [(name, value)])
            #expect(answer.status == 400)
            #expect(try answer.failure().message.contains(name))
            #expect(fixture.agent.calls == [])
        }
    }
}
