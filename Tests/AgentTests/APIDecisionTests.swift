import Approvals
import Basics
@testable import LocalSocket
import Synchronization
import TestSupport
import Testing
@testable import Agent

@Suite(.timeLimit(.minutes(2))) struct APIDecisions {
    private static func request(_ ref: String) -> DecisionRequest {
        DecisionRequest(ref: ref, fingerprint: APISamples.fingerprint, position: nil, waits: true)
    }

    @Test(arguments: ["fernbank:77", "fernbank:%C3%A9%2F"])
    func aDecisionThatIsGivenUpAnswersAtOnce(_ ref: String) async throws {
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord()
            let isGivenUp = Atomic(false)
            let operations = try await fixture.operations()
            async let decision = operations.deny(Self.request(ref), pin: nil, from: .person) {
                isGivenUp.load(ordering: .relaxed)
            }
            await fixture.agent.hears("waiting \(ref)")
            isGivenUp.store(true, ordering: .relaxed)
            #expect(try await decision == APISamples.undecided)
            #expect(fixture.agent.calls.filter { $0 == "giveUp \(ref)" }.count == 1)
        }
    }

    @Test func givingUpTooEarlyIsRepeated() async throws {
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord(deafFor: 2)
            let operations = try await fixture.operations()
            #expect(
                try await operations.deny(Self.request("fernbank:77"), pin: nil, from: .person) { true }
                    == APISamples.undecided)
            #expect(fixture.agent.calls.filter { $0 == "giveUp fernbank:77" }.count == 3)
        }
    }

    @Test func nobodyIsToldWhoDoesNotGiveUp() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            _ = try await operations.deny(Self.request("fernbank:77"), pin: nil, from: .person) { false }
            #expect(fixture.agent.calls == ["handshake", "deny fernbank:77 0123 - true"])
        }
    }

    @Test func whoGoesAwayDoesNotWaitAnyMore() async throws {
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord()
            let client = try fixture.server.client()
            let path = "/authorizations/fernbank:77/deny?fingerprint=\(APISamples.hex)"
            let call = Task { try await onThread { try client.send("POST", path) } }
            await fixture.agent.hears("waiting fernbank:77")
            client.cancel()
            await #expect(throws: SocketError.cancelled) { try await call.value }
            await fixture.agent.hears("giveUp fernbank:77")
        }
    }

    @Test func aDecisionIsNotCutShort() async throws {
        try await APIFixture.with { fixture in
            fixture.agent.waitForWord()
            let operations = try await fixture.operations()
            let call = Task {
                try await operations.deny(Self.request("fernbank:77"), pin: nil, from: .person) { false }
            }
            await fixture.agent.hears("waiting fernbank:77")
            call.cancel()
            // Another call is answered, and the decision still waits.
            _ = try await operations.connections()
            #expect(await fixture.agent.giveUp("fernbank:77"))
            #expect(try await call.value == APISamples.undecided)
        }
    }

    @Test func onlyADecisionUnderWayCanBeGivenUp() async throws {
        try await APIFixture.with { fixture in
            let answer = try await fixture.send("DELETE", "/authorizations/fernbank:77/wait")
            #expect(answer.status == 404)
            #expect(try answer.failure().kind == .notFound)
        }
    }

    @Test func theEndOfTheAgentInTheMiddleLeavesItUnknown() async throws {
        let fixture = try APIFixture(drain: .milliseconds(50))
        fixture.agent.waitForWord()
        let operations = try await fixture.operations()
        let call = Task { try await operations.deny(Self.request("fernbank:77"), pin: nil, from: .person) { false } }
        await fixture.agent.hears("waiting fernbank:77")
        await fixture.server.shutDown()
        let told = await #expect(throws: Failure.self) { _ = try await call.value }
        #expect(told?.kind == .unknown)
        #expect(told?.hint?.contains("countersign pending") == true)
        await fixture.agent.hears("giveUp fernbank:77")
        try await fixture.server.end()
    }
}
