@testable import AgentWire
@testable import Agent
import Hummingbird
@testable import LocalSocket
import Testing

/// PINs, whoever brings them.
@Suite(.timeLimit(.minutes(2))) struct APIPINs {
    @Test(arguments: ["/unlock", APIRequests.good])
    func aPINIsTakenFromOurOwnProgramAlone(_ path: String) async throws {
        try await APIFixture.with(isOwn: false) { fixture in
            let answer = try await fixture.send("POST", path, body: .bytes(Array("271828".utf8)))
            #expect(answer.status == 403)
            #expect(try answer.failure().hint == "send an empty body")
            #expect(fixture.agent.calls == [])
            // Without one the agent asks for it by itself.
            #expect(try await fixture.send("POST", path).status == 200)
            #expect(fixture.agent.calls.count == 1)
            #expect(fixture.agent.calls[0].hasSuffix(" - person"))
            #expect(fixture.agent.lastCaller?.isOwnProgram == false)
        }
    }

    @Test(arguments: ["/unlock", APIRequests.good])
    func aPINHasAtMost1024Bytes(_ path: String) async throws {
        try await APIFixture.with { fixture in
            let long = String(repeating: "7", count: 1024)
            #expect(try await fixture.send("POST", path, body: .bytes(Array(long.utf8))).status == 200)
            let answer = try await fixture.send("POST", path, body: .bytes(Array((long + "7").utf8)))
            #expect(answer.status == 413)
            #expect(try answer.failure().kind == .usage)
            #expect(fixture.agent.calls.count == 1)
            #expect(fixture.agent.calls[0].contains(" \(long) "))
        }
    }

    @Test(arguments: ["/unlock", APIRequests.good])
    func whereNoQuestionMayBeAskedThePINMustComeAlong(_ path: String) async throws {
        try await APIFixture.with { fixture in
            let headers = [("Countersign-No-Input", "1")]
            let answer = try await fixture.send("POST", path, headers: headers)
            #expect(answer.status == 423)
            #expect(try answer.failure() == .needsUnlock)
            #expect(fixture.agent.calls == [])
            let pin = Array("271828".utf8)
            #expect(try await fixture.send("POST", path, headers: headers, body: .bytes(pin)).status == 200)
        }
    }

    /// A denial may need one: then it is taken as for an approval, and where none comes along the agent judges.
    @Test func aDenialMayBringAPIN() async throws {
        let path = "/authorizations/fernbank:77/deny?fingerprint=\(APISamples.hex)"
        let pin = Array("271828".utf8)
        try await APIFixture.with(isOwn: false) { fixture in
            let answer = try await fixture.send("POST", path, body: .bytes(pin))
            #expect(answer.status == 403)
            #expect(fixture.agent.calls == [])
        }
        try await APIFixture.with { fixture in
            let headers = [("Countersign-No-Input", "1"), ("Countersign-PIN-Source", "file")]
            let given = try await fixture.send("POST", path, headers: headers, body: .bytes(pin))
            let without = try await fixture.send("POST", path, headers: headers)
            #expect((given.status, without.status) == (200, 200))
            #expect(
                fixture.agent.calls == [
                    "deny fernbank:77 0123 - true 271828 file", "deny fernbank:77 0123 - true",
                ])
        }
    }

    @Test func wherePINsComeFromIsOneOfTwo() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send(
                "POST", "/unlock", headers: [("Countersign-PIN-Source", "memory")], body: .bytes([55]))
            #expect(answer.status == 400)
            #expect(fixture.agent.calls == [])
        }
    }

    @Test(
        arguments: [
            ("/unlock", false, [:]), (APIRequests.good, false, [:]), ("/unlock", true, [.origin: "null"]),
            (APIRequests.approve, true, [:]), (APIRequests.good + "&x=y", true, [:]), ("/nothing", true, [:]),
            ("/status", true, [:]), ("/authorizations/%zz/approve", true, [:]),
            ("/unlock", true, [.init(CallerHeaders.pinSource)!: "memory"]),
            ("/unlock", true, [.init(CallerHeaders.noInput)!: "maybe"]),
        ] as [(String, Bool, HTTPFields)])
    func onesThatAreNotTakenAreOverwritten(_ path: String, _ isOwn: Bool, _ headers: HTTPFields) async throws {
        let agent = FakeAgent()
        let pin = ByteBuffer(string: "271828")
        let request = Request(
            head: HTTPRequest(method: .post, scheme: nil, authority: nil, path: path, headerFields: headers),
            body: .init(buffer: pin))
        let caller = Caller(requester: .current(), hasTerminal: true, isOwnProgram: isOwn)
        let response = await agent.api.respond(to: request, from: caller)
        #expect(response.status.kind == .clientError)
        // The copy that the request has shares this memory.
        #expect(pin.withUnsafeReadableBytes { bytes in bytes.allSatisfy { $0 == 0 } })
        #expect(agent.calls == [])
    }
}
