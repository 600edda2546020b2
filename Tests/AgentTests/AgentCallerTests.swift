import ApprovalModel
@testable import AgentWire
import Approvals
import Basics
@testable import LocalSocket
import Sessions
import TestSupport
import Testing
@testable import Agent
import Keys
import SessionModel
import Verbs

/// The agent's answers to one caller, and the things that end when the caller leaves.
@Suite(.timeLimit(.minutes(5))) struct AgentCallerTests {
    private static let link = "memory://bank.example/connect"
    private static let returnURL = "http://127.0.0.1:4000/once"

    /// One request to the API of this agent, as another process sends it.
    private func request(
        _ method: String, _ path: String, _ fixture: AgentFixture, isOwn: Bool, json: String? = nil
    ) async throws -> LocalAnswer {
        let api = AgentAPI(fixture.agent)
        let server = try SocketServerFixture(limits: .init()) { request, _ in
            let caller = Caller(
                requester: AgentFixture.frontEnd.requester, hasTerminal: false, isOwnProgram: isOwn,
                program: PeerProgram(.unit, "backup.service"))
            return await api.respond(to: request, from: caller)
        }
        let client = try server.client()
        let body = json.map { LocalClient.Body.bytes(Array($0.utf8)) } ?? .none
        let answer = try await onThread { try client.send(method, path, body: body) }
        await server.shutDown()
        try await server.end()
        return answer
    }

    private func opened(sessions: String...) async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        for name in sessions { try fixture.addSession("https://\(name).example", token: "t-\(name)") }
        _ = try fixture.sessions.allow(
            GrantOptions(
                Program(.unit, "backup.service"), try #require(SessionName("fern")), scopes: nil, resources: [],
                try AllowOptions()))
        return try await fixture.unlock()
    }

    @Test func anotherProgramGetsOnlyItsOwn() async throws {
        let fixture = try await opened(sessions: "fern", "oak")
        let own = try await request("GET", "/sessions", fixture, isOwn: false)
        #expect(own.status == 200)
        #expect(own.text == #"{"sessions":[{"expires_at":null,"name":"fern","status":"active"}]}"#)
        let all = try await request("GET", "/sessions", fixture, isOwn: true)
        #expect(all.text.contains(#""name":"oak""#) && all.text.contains(#""issuer":"#))
        #expect(try await request("GET", "/grants", fixture, isOwn: false).text.contains("backup.service"))
        #expect(try await request("GET", "/sites", fixture, isOwn: false).status == 403)
    }

    @Test func aProgramGoesOnWithoutATokenWhereNoSiteFits() async throws {
        let fixture = try await opened(sessions: "fern")
        let body = #"{"url":"https://elsewhere.example/"}"#
        let other = try await request("POST", "/headers", fixture, isOwn: false, json: body)
        #expect(other.status == 204 && other.text.isEmpty)
        #expect(try await request("POST", "/headers", fixture, isOwn: true, json: body).status == 404)
    }

    @Test func aChangeByAnotherProgramTakesAYes() async throws {
        let fixture = try await AgentFixture().unlock()
        let refused = try await request(
            "PATCH", "/connections/bank-1", fixture, isOwn: false, json: #"{"name":"other"}"#)
        #expect(refused.status == 409)
        #expect(fixture.screen.asked.all.count == 1)
        #expect(try fixture.connections().map(\.name.text) == ["bank-1"])
        #expect(
            try await request("PATCH", "/connections/bank-1", fixture, isOwn: true, json: #"{"name":"other"}"#).status
                == 200)
        #expect(try fixture.connections().map(\.name.text) == ["other"])
    }

    // MARK: Departures

    private func call(_ fixture: AgentFixture, _ presence: Presence) -> AgentCall {
        var caller = AgentFixture.person
        caller.presence = presence
        return AgentCall(agent: fixture.agent, caller: caller)
    }

    @Test(arguments: [true, false]) func anEnrollmentEndsWithItsCallerIfItWasBegunSo(_ isSo: Bool) async throws {
        let fixture = try await AgentFixture().unlock()
        let presence = Presence()
        let wanted = NewEnrollment(.link(GivenLink(Self.link), name: nil), whileConnected: isSo)
        let host = call(fixture, presence)
        let id = try await AgentVerbs.beginEnrollment.carryOut(host, VerbCall(input: wanted)).id
        presence.leave()
        let accept = VerbCall(name: id, input: Acceptance(returnURL: Self.returnURL))
        if isSo {
            while await !fixture.agent.approvals.enrollments.isEmpty { await Task.yield() }
            let told = await failure { _ = try await AgentVerbs.accept.carryOut(host, accept) }
            #expect(told == Failure(EnrollmentError.outOfTurn))
        } else {
            #expect(try await AgentVerbs.accept.carryOut(host, accept).page != nil)
        }
    }

    @Test func aLoginEndsWithItsCaller() async throws {
        let fixture = try await AgentFixture(issuer: MemoryIssuer()).unlock()
        let presence = Presence()
        let wanted = VerbCall(input: LoginRequest(.target("oak.example")))
        _ = try await AgentVerbs.beginLogin.carryOut(call(fixture, presence), wanted)
        #expect(await fixture.agent.sessions.logins.count == 1)
        presence.leave()
        while await fixture.agent.sessions.logins.count > 0 { await Task.yield() }
    }

    /// A decision that was sent is finished, and the bank's final word is not awaited.
    @Test func aDecisionIsGivenUpWhenItsCallerLeaves() async throws {
        let fixture = try await AgentFixture().unlock()
        let card = try await fixture.ask()
        fixture.bank.state.withLock { $0.works = 100 }
        let presence = Presence()
        var caller = AgentFixture.script
        caller.presence = presence
        let host = ApprovalCaller(wing: fixture.agent.approvals, caller: caller)
        let pin = EnteredPIN.typed(try MemoryGate.secret(), from: .file)
        let decided = Recorded<DecisionPayload>()
        let deciding = Task { decided.add(try await host.approve(AgentFixture.request(card), pin: pin)) }
        _ = try await fixture.polling { fixture.bank.calls.all.contains(where: \.isStatus) ? true : nil }
        presence.leave()
        #expect(try await fixture.polling { decided.all.first }.outcome == .processing)
        try await deciding.value
    }
}
