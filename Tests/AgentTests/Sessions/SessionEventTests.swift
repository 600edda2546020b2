@testable import AgentWire
@testable import Agent
import Basics
import Foundation
import LocalSocket
import SessionModel
import Sessions
import Testing

/// What watchers are told of sessions, and when.
@Suite(.timeLimit(.minutes(5))) struct SessionEventTests {
    /// Reads a watcher's events as words: the name, and which session or request is meant.
    struct Words {
        private var iterator: AsyncThrowingStream<AgentEvent, any Error>.Iterator

        init(_ fixture: AgentFixture, includesSessions: Bool = true) async {
            let request = EventsRequest(includesSessions: includesSessions)
            iterator = await fixture.agent.events(request).makeAsyncIterator()
        }

        mutating func next() async throws -> String? {
            while let event = try await iterator.next() {
                switch event {
                case .sessions(let event):
                    switch event.kind {
                    case .session(let name): return "session \(name.text)"
                    case .request(let id): return "request \(id)"
                    case .requestGone(let id): return "request_gone \(id)"
                    }
                case .approvals where event.name == "heard": continue
                case .approvals: return event.name
                }
            }
            return nil
        }

        mutating func next(_ count: Int) async throws -> [String] {
            var all: [String] = []
            while all.count < count, let next = try await next() { all.append(next) }
            return all
        }
    }

    /// An open agent with the session `fern`.
    private func opened(issuer: MemoryIssuer? = nil) async throws -> AgentFixture {
        let fixture: AgentFixture
        if let issuer { fixture = try await AgentFixture(issuer: issuer) } else { fixture = try await AgentFixture() }
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    private func rename(_ name: String, to new: String, _ fixture: AgentFixture) async throws {
        let change = SessionChange(name: try #require(SessionName(new)))
        try await fixture.agent.sessions.perform(SessionVerbs.rename, on: name, change)
    }

    /// The program asks for a token without waiting. Returns the id of the newest request.
    private func ask(_ fixture: AgentFixture) async throws -> String {
        let told = await failure {
            let request = TokenRequest(target: "fern", try TokenTerms())
            _ = try await fixture.agent.sessions.token(request, for: fixture.known(SessionWingTests.backup))
        }
        #expect(told?.kind == .locked)
        let requests = try await fixture.agent.sessions.programRequests(for: AgentFixture.script).requests
        return try #require(requests.last).id
    }

    @Test func whatIsThereIsToldFirstAndThenEachChange() async throws {
        let fixture = try await opened()
        let id = try await ask(fixture)
        var words = await Words(fixture)
        #expect(try await words.next(2) == ["session fern", "request \(id)"])
        try await rename("fern", to: "oak", fixture)
        #expect(try await words.next(2) == ["session fern", "session oak"])
        // What was only read is no change.
        _ = try await fixture.agent.sessions.perform(SessionVerbs.sessions)
        await fixture.agent.sessions.changed()
        _ = try await fixture.agent.sessions.refuse(id, for: AgentFixture.person)
        #expect(try await words.next() == "request_gone \(id)")
        _ = try await fixture.agent.sessions.setSignOut(
            of: "oak", SignOutChange(until: SignOutRule("8h"), keep: nil), pin: nil, from: .person,
            for: AgentFixture.person)
        #expect(try await words.next() == "session oak")
        let quietly = SignOutOptions(localOnly: true, browser: false)
        _ = try await fixture.agent.sessions.signOut("oak", quietly, for: AgentFixture.person)
        #expect(try await words.next() == "session oak")
        var later = await Words(fixture)
        _ = try await fixture.agent.lock()
        #expect(try await words.next() == "locked")
        #expect(try await later.next() == "locked")
    }

    @Test func aRequestIsTakenBackInEachWay() async throws {
        let fixture = try await opened()
        var words = await Words(fixture)
        #expect(try await words.next() == "session fern")
        // It is over.
        let first = try await ask(fixture)
        #expect(try await words.next() == "request \(first)")
        fixture.clock.pass(ProgramRequests.life)
        #expect(try await fixture.agent.handshake().sessions == .atHand)
        #expect(try await words.next(2) == ["locked", "waiting"])
        #expect(try await words.next() == "request_gone \(first)")
        // The person allows it.
        let second = try await ask(fixture)
        _ = try await fixture.agent.sessions.allow(
            second, try AllowOptions(), pin: try MemoryGate.secret(), from: .person, for: AgentFixture.person)
        #expect(try await words.next(2) == ["request \(second)", "request_gone \(second)"])
        // The program wants something else.
        let store = try fixture.sessions.store
        for grant in try store.grants() { try store.removeGrant(grant.id, noting: nil) }
        let third = try await ask(fixture)
        fixture.programs.set(PeerProgram(.unit, "other.service"), of: "backup")
        let fourth = try await ask(fixture)
        #expect(try await words.next(2) == ["request \(third)", "request \(fourth)"])
        // It signs itself out.
        try await fixture.agent.sessions.revokeOwn(for: fixture.known(SessionWingTests.backup))
        #expect(try await words.next() == "request_gone \(fourth)")
        // The agent ends.
        await fixture.drain()
        #expect(try await words.next() == "request_gone \(third)")
    }

    @Test func whoDidNotAskForSessionsHearsNothingOfThem() async throws {
        let fixture = try await opened()
        var plain = await Words(fixture, includesSessions: false)
        var words = await Words(fixture)
        let id = try await ask(fixture)
        try await rename("fern", to: "oak", fixture)
        // Of what is told twice, the last is kept.
        #expect(try await words.next(3) == ["request \(id)", "session fern", "session oak"])
        _ = try await fixture.agent.lock()
        try await fixture.unlock()
        #expect(try await plain.next(2) == ["locked", "unlocked"])
        _ = try await fixture.agent.lock()
        #expect(try await plain.next() == "locked")
    }

    // MARK: Locks

    /// They stay at hand when what banks ask is hidden, and what was not taken yet is told all the same.
    @Test func sessionsAreToldForAsLongAsTheyAreAtHand() async throws {
        let fixture = try await opened()
        var words = await Words(fixture)
        let id = try await ask(fixture)
        try await fixture.lock(by: .time)
        #expect(try await words.next(4) == ["session fern", "request \(id)", "locked", "waiting"])
        try await rename("fern", to: "oak", fixture)
        #expect(try await words.next(2) == ["session fern", "session oak"])
        fixture.clock.pass(AgentFixture.idle)
        #expect(try await fixture.agent.handshake().sessions == .shut)
        #expect(try await words.next() == "request_gone \(id)")
        _ = try fixture.sessions.store.update(try fixture.sessions.lookup().session("oak").id) { session, _ in
            session.name = try #require(SessionName("elm"))
        }
        fixture.clock.pass(SignOutWatch.interval)
        _ = try await fixture.state
        try await fixture.unlock()
        #expect(try await words.next(2) == ["unlocked", "session elm"])
    }

    /// No name that waits to be taken is told after the lock, and none while the screen is locked, whoever may have tokens then.
    @Test(arguments: AgentFixture.Lock.allCases, [true, false])
    func noNameIsToldAfterALock(_ lock: AgentFixture.Lock, _ isNeeded: Bool) async throws {
        let fixture = try await opened()
        if isNeeded {
            _ = try fixture.sessions.allow(
                GrantOptions(
                    try #require(Program("unit:mail.service")), try #require(SessionName("fern")), scopes: nil,
                    resources: [], try AllowOptions(.unlocked)))
        }
        var words = await Words(fixture)
        let id = try await ask(fixture)
        try await fixture.lock(by: lock)
        let waiting = lock.state == .hidden ? ["waiting"] : []
        guard lock != .time else {
            #expect(try await words.next(4) == ["session fern", "request \(id)", "locked"] + waiting)
            return
        }
        let isAsleep = isNeeded && lock == .screen
        #expect(try await fixture.agent.handshake().sessions == (isAsleep ? .asleep : .shut))
        var later = await Words(fixture)
        _ = try fixture.sessions.store.update(try fixture.sessions.lookup().session("fern").id) { session, _ in
            session.isKept = true
        }
        fixture.clock.pass(SignOutWatch.interval)
        _ = try await fixture.state
        try await fixture.unlock()
        // The screen's lock is told to the sessions first.
        let locked = ["locked"] + waiting
        let gone = ["request_gone \(id)"]
        #expect(
            try await words.next(locked.count + 3)
                == (lock == .screen ? gone + locked : locked + gone) + ["unlocked", "session fern"])
        #expect(try await later.next(locked.count + 2) == locked + ["unlocked", "session fern"])
    }

    // MARK: Changes by others

    @Test func whatAnotherProcessChangesIsToldAfterAWhile() async throws {
        let fixture = try await opened()
        var words = await Words(fixture)
        #expect(try await words.next() == "session fern")
        try fixture.addSession("https://oak.example", token: "t-oak")
        fixture.clock.pass(SignOutWatch.interval)
        _ = try await fixture.state
        #expect(try await words.next() == "session oak")
    }

    @Test func aSessionThatEndsByItselfIsTold() async throws {
        let issuer = MemoryIssuer()
        issuer.state.withLock { $0.renewal = .rejected(Rejection(.grant, status: 400)) }
        let fixture = try await opened(issuer: issuer)
        try fixture.addSession("https://oak.example", token: "t-oak", lifetime: 60, renewedBy: "r-oak")
        var words = await Words(fixture)
        #expect(try await words.next(2) == ["session fern", "session oak"])
        fixture.clock.pass(.seconds(100))
        let told = await failure {
            let request = TokenRequest(target: "oak", try TokenTerms())
            _ = try await fixture.agent.sessions.token(request, for: AgentFixture.person)
        }
        #expect(told?.kind == .signedOut)
        #expect(try await words.next() == "session oak")
    }

    @Test func aSessionWhoseTimeIsOverIsTold() async throws {
        let fixture = try await opened()
        _ = try await fixture.agent.sessions.setSignOut(
            of: "fern", SignOutChange(until: SignOutRule("2m"), keep: nil), pin: nil, from: .person,
            for: AgentFixture.person)
        var words = await Words(fixture)
        #expect(try await words.next() == "session fern")
        fixture.clock.pass(.seconds(120))
        _ = try await fixture.state
        #expect(try await words.next() == "session fern")
    }

    @Test func aLoginIsTold() async throws {
        let fixture = try await opened(issuer: MemoryIssuer())
        var words = await Words(fixture)
        #expect(try await words.next() == "session fern")
        let request = LoginRequest(.target("oak.example"))
        let id = try await fixture.agent.sessions.beginLogin(request, for: AgentFixture.person).id
        let back = "http://127.0.0.1:4000/callback"
        _ = try await fixture.agent.sessions.acceptLogin(
            id, LoginAcceptance(.browser(returnURL: back)), for: AgentFixture.person)
        _ = try await fixture.agent.sessions.redirectLogin(id, back + "?ok", for: AgentFixture.person)
        #expect(try await words.next() == "session oak")
    }
}
