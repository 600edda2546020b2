@testable import AgentWire
@testable import Agent
import Approvals
import Basics
import FoundationEssentials
import SessionModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct EventHubTests {
    private static let added = AgentEvent.approvals(APISamples.events[0])
    private static let session = event(session: .session(SessionName("fern")!))
    private static let request = event(session: .request(id: "77aa01bc"))

    private static func event(_ kind: Event.Kind, at seconds: Double = 0) -> AgentEvent {
        .approvals(Event(kind, at: Date(timeIntervalSince1970: seconds)))
    }

    private static func event(session kind: SessionEvent.Kind) -> AgentEvent {
        .sessions(SessionEvent(kind, at: Date(timeIntervalSince1970: 0)))
    }

    private static func names(_ events: AsyncThrowingStream<AgentEvent, any Error>) async throws -> [String] {
        try await events.reduce(into: []) { $0.append($1.name) }
    }

    @Test func everybodyIsToldInOrder() async throws {
        var hub = EventHub()
        let all = [hub.join(first: [Self.added]) { _ in }, hub.join(first: []) { _ in }]
        for event in [Self.event(.locked), Self.event(.unlocked), Self.added] { hub.tell(event) }
        hub.finish()
        for events in all { #expect(try await Self.names(events) == ["locked", "unlocked", "added"]) }
    }

    @Test func whatWasNotToldBeforeTheLockIsDropped() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added, Self.added]) { _ in }
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.name == "added")
        hub.tell(Self.added)
        hub.tell(Self.event(.locked))
        hub.tell(Self.event(.waiting(3)))
        hub.finish()
        #expect(try await iterator.next()?.name == "locked")
        let last = try await iterator.next()
        guard case .approvals(let told) = last, case .waiting(3) = told.kind else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(try await iterator.next()?.name == nil)
    }

    @Test func whoDoesNotKeepUpIsLetGo() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added]) { _ in }
        for _ in 0..<1024 { hub.tell(Self.added) }
        #expect(hub.isWatched)
        hub.tell(Self.added)
        #expect(!hub.isWatched)
        await #expect(throws: Failure.self) { try await Self.names(events) }
    }

    /// One bank may bring thousands at once; who watches gets them all.
    @Test func whatComesAtOnceHasRoom() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added]) { _ in }
        for _ in 0..<5000 { hub.tell(Self.added, more: 5000) }
        #expect(hub.isWatched)
        hub.finish()
        #expect(try await Self.names(events).count == 5001)
    }

    /// What is told again and again fills nobody's queue.
    @Test func ofWhatIsKnownOfTheBanksTheNewestIsKept() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added]) { _ in }
        for _ in 0..<5000 { hub.tell(Self.event(.heard([]))) }
        hub.tell(Self.added)
        hub.tell(Self.event(.heard([]), at: 1))
        #expect(hub.isWatched)
        hub.finish()
        let told = try await events.reduce(into: []) { $0.append($1) }
        #expect(told.map(\.name) == ["added", "added", "heard"])
        guard case .approvals(let last) = told.last else { return }
        #expect(last.at == Date(timeIntervalSince1970: 1))
    }

    @Test func sessionsAreToldToThoseAloneWhoWantThat() async throws {
        var hub = EventHub()
        let plain = hub.join(first: [Self.added, Self.session]) { _ in }
        #expect(!hub.isWatched(for: .sessions))
        let whole = hub.join(first: [Self.added, Self.session], topics: [.sessions]) { _ in }
        #expect(hub.isWatched(for: .sessions))
        for event in [Self.added, Self.request, Self.event(.recovered(connection: "fern"))] { hub.tell(event) }
        hub.finish()
        #expect(try await Self.names(plain) == ["added", "added", "recovered"])
        #expect(try await Self.names(whole) == ["added", "session", "added", "request", "recovered"])
    }

    /// Sessions may be at hand for longer than what banks ask may be shown.
    @Test func aLockOfWhatBanksAskLeavesSessions() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added, Self.session], topics: [.sessions]) { _ in }
        for event in [Self.added, Self.request, Self.event(.locked)] { hub.tell(event) }
        hub.finish()
        #expect(try await Self.names(events) == ["session", "request", "locked"])
    }

    @Test func whatMayNoLongerBeToldIsDropped() async throws {
        var hub = EventHub()
        let events = hub.join(first: [Self.added, Self.session], topics: [.sessions]) { _ in }
        var iterator = events.makeAsyncIterator()
        #expect(try await iterator.next()?.name == "added")
        hub.tell(Self.request)
        hub.tell(Self.added)
        hub.drop { $0.topic == .sessions }
        hub.tell(Self.event(session: .requestGone(id: "77aa01bc")))
        hub.finish()
        #expect(try await iterator.next()?.name == "added")
        #expect(try await iterator.next()?.name == "request_gone")
        #expect(try await iterator.next()?.name == nil)
    }

    /// A session that changes again and again fills nobody's queue.
    @Test func ofChangesOfOneSessionTheLastIsKept() async throws {
        var hub = EventHub()
        let events = hub.join(first: [], topics: [.sessions]) { _ in }
        for _ in 0..<5000 { hub.tell(Self.session) }
        hub.tell(Self.request)
        hub.tell(Self.session)
        #expect(hub.isWatched)
        hub.finish()
        #expect(try await Self.names(events) == ["request", "session"])
    }

    @Test func whoWaitsIsToldAtOnce() async throws {
        var hub = EventHub()
        let events = hub.join(first: []) { _ in }
        let taking = Task { try await Self.names(events) }
        await Task.yield()
        hub.tell(Self.added)
        hub.finish()
        #expect(try await taking.value == ["added"])
    }

    @Test func whoIsCancelledLeaves() async throws {
        var hub = EventHub()
        let left = Door()
        let events = hub.join(first: [Self.added]) { _ in left.unlock() }
        let begun = Door()
        let taking = Task {
            for try await _ in events { begun.unlock() }
        }
        await begun.passes()
        taking.cancel()
        await left.passes()
        try await taking.value
    }

    @Test func whoNeverTakesAnEventLeavesWithTheStream() async {
        var hub = EventHub()
        let left = Door()
        do { _ = hub.join(first: [Self.added]) { _ in left.unlock() } }
        await left.passes()
        hub.leave(0)
        #expect(!hub.isWatched)
    }
}
