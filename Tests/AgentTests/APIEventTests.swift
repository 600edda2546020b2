import Basics
import TestSupport
import Testing
@testable import Agent

@Suite(.timeLimit(.minutes(2))) struct APIEvents {
    @Test func eventsComeAsTheyAreToldInTheirOrder() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            var told: [String] = []
            for try await event in try await operations.events() {
                told.append(try json(event))
                if told.count == APISamples.events.count { break }
            }
            #expect(told == (try APISamples.events.map { try json($0) }))
        }
    }

    @Test func theStreamEndsInTheAgentWhenNobodyListensAnyMore() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            let reader = Task { for try await _ in try await operations.events() {} }
            await fixture.agent.hears("events")
            reader.cancel()
            try? await reader.value
            await fixture.agent.hears("stream over")
        }
    }

    @Test func theEndOfTheAgentIsToldToWhoListens() async throws {
        let fixture = try APIFixture()
        let operations = try await fixture.operations()
        let events = try await operations.events()
        let reader = Task { for try await _ in events {} }
        await fixture.agent.hears("events")
        await fixture.server.shutDown()
        let told = await #expect(throws: Failure.self) { try await reader.value }
        #expect(told == Failure(.internal, "the agent ended", hint: "run it again"))
        try await fixture.server.end()
    }

    @Test func otherFrontEndsReadOneEventALine() async throws {
        try await APIFixture.with { fixture in
            let client = try fixture.server.client()
            let first = try await onThread {
                let events = try client.stream("/events")
                defer { events.cancel() }
                return try events.next()
            }
            #expect(first?.name == "added")
            #expect(first?.data == (try json(APISamples.events[0])))
            #expect(first?.data.contains("\n") == false)
        }
    }

    private func names(_ fixture: APIFixture, _ path: String, _ count: Int) async throws -> [String] {
        let client = try fixture.server.client()
        return try await onThread {
            let events = try client.stream(path)
            defer { events.cancel() }
            return try (0..<count).compactMap { _ in try events.next()?.name }
        }
    }

    @Test func ourOwnCommandIsToldOfSessions() async throws {
        try await APIFixture.with(isOwn: true) { fixture in
            let told = APISamples.events.map(\.name.rawValue) + ["session", "request", "request_gone"]
            let names = try await names(fixture, "/events?include=sessions", told.count)
            #expect(names == told)
            #expect(fixture.agent.calls.filter { $0.hasPrefix("events") } == ["events sessions"])
        }
    }

    @Test func sessionsAreNotToldToOthers() async throws {
        try await APIFixture.with(isOwn: false) { fixture in
            let refused = try await fixture.send("GET", "/events?include=sessions")
            #expect(refused.status == 403)
            #expect(try refused.failure().message == "only countersign itself may ask for this")
            #expect(fixture.agent.calls == [])
            let told = APISamples.events.map(\.name.rawValue)
            let names = try await names(fixture, "/events", told.count)
            #expect(names == told)
        }
    }

    @Test(arguments: ["include=", "include=all", "include=sessions&include=sessions", "sessions=true"])
    func nothingElseIsIncluded(_ query: String) async throws {
        try await APIFixture.with(isOwn: true) { fixture in
            let answer = try await fixture.send("GET", "/events?" + query)
            #expect(answer.status == 400)
            #expect(fixture.agent.calls == [])
        }
    }

    @Test func aStreamThatCannotBeHadIsAFailure() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            fixture.agent.fail(with: Failure(.internal, "no"))
            await fails(.internal) { _ = try await operations.events() }
        }
    }

    @Test func manyEventsAtOnceAreAllTold() async throws {
        try await APIFixture.with { fixture in
            let operations = try await fixture.operations()
            let events = try await operations.events()
            let continuation = try #require(fixture.agent.state.withLock { $0.streams.first })
            for _ in 0..<5000 { continuation.yield(.approvals(APISamples.events[0])) }
            continuation.yield(.approvals(try #require(APISamples.events.first { $0.name == .locked })))
            var (count, locks) = (0, 0)
            for try await event in events {
                count += 1
                if event.name == .locked { locks += 1 }
                if locks == 2 { break }
            }
            #expect(count == 5000 + APISamples.events.count + 1)
        }
    }
}
