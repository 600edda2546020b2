@testable import Agent
import Basics
import Display
import Foundation
import LocalSocket
@testable import Pinentry
@testable import SessionModel
@testable import Sessions
import Testing

/// What the person sees of what a program asks for, and says to it.
@Suite(.timeLimit(.minutes(5))) struct ProgramRequestTests {
    private static let backup = SessionWingTests.backup

    private func opened(scopes: String = "openid mail", _ issuers: String...) async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        for name in issuers.isEmpty ? ["fern"] : issuers {
            try fixture.addSession("https://\(name).example", token: "t-\(name)", scopes: scopes)
        }
        return try await fixture.unlock()
    }

    private func token(
        _ fixture: AgentFixture, _ target: String? = nil, name: String? = nil, wait: Int64 = 0
    ) async throws -> String {
        let request = TokenRequest(target: target, try TokenTerms(wait: wait, name: name))
        return try await fixture.agent.sessions.token(request, for: fixture.known(Self.backup)).token.value
    }

    private func listed(_ fixture: AgentFixture) async throws -> [RequestPayload] {
        try await fixture.agent.sessions.programRequests(for: AgentFixture.person).requests
    }

    private func allow(
        _ fixture: AgentFixture, _ id: String, _ session: String? = nil, pin: String = MemoryGate.pin
    ) async throws -> AnsweredRequestPayload {
        let options = try AllowOptions(session: session.map { try #require(SessionName($0)) })
        return try await fixture.agent.sessions.allow(
            id, options, pin: try MemoryGate.secret(pin), from: .person, for: AgentFixture.person)
    }

    // MARK: Several sessions

    @Test func thePersonSaysWhichSessionIsMeant() async throws {
        let fixture = try await opened("fern", "oak")
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
        let request = try #require(try await listed(fixture).first)
        #expect(request.session == nil && request.host == nil && request.account == nil && request.scopes == [])
        #expect(Set(request.choices.map(\.session)) == ["fern", "oak"])
        #expect(Set(request.choices.map(\.host)) == ["fern.example", "oak.example"])
        #expect(request.choices.map(\.scopes) == [["mail", "openid"], ["mail", "openid"]])
        // Asked again, it is the same request.
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
        #expect(fixture.asked.count == 1)
        // A PIN that proves wrong would be counted: it is not even looked at.
        for session in [nil, "elm"] {
            let told = await failure { _ = try await allow(fixture, request.id, session, pin: MemoryGate.wrong) }
            #expect(told?.kind == .ambiguous && told?.message.contains("fern, oak") == true)
            #expect(told?.hint == "say of which: countersign allow \(request.id) --session fern")
        }
        #expect(try fixture.sessions.store.grants().isEmpty)
        #expect(try await allow(fixture, request.id, "oak").grant?.session == "oak")
        #expect(try await token(fixture) == "t-oak")
        #expect(await failure { _ = try await token(fixture, "fern") }?.kind == .locked)
    }

    /// Window by window; whoever wants none of them refuses.
    @Test(arguments: [[ScriptedScreen.Answer.yes], [.no, .yes], [.no, .no]])
    func theWindowsOfferEachSession(_ choosing: [ScriptedScreen.Answer]) async throws {
        let fixture = try await opened("fern", "oak")
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
        let request = try #require(try await listed(fixture).first)
        guard case .yes? = choosing.last else {
            fixture.screen.script(choosing)
            #expect(try await !fixture.agent.sessions.review(request.id))
            #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
            #expect(fixture.asked.count == 1)
            #expect(try fixture.sessions.store.grants().isEmpty)
            return
        }
        let wanted = request.choices[choosing.count - 1].session
        fixture.screen.script(choosing + [.yes, .no, .typed(MemoryGate.pin)])
        #expect(try await fixture.agent.sessions.review(request.id))
        #expect(try await token(fixture) == "t-\(wanted)")
        #expect(try fixture.sessions.store.grants().count == 1)
    }

    /// It waits for the answer as for any other.
    @Test func aProgramThatWaitsGetsTheChosenOne() async throws {
        let fixture = try await opened("fern", "oak")
        async let token = token(fixture, wait: 60)
        await fixture.asked.until(count: 1)
        _ = try await allow(fixture, try #require(fixture.asked.all.first).id, "fern")
        #expect(try await token == "t-fern")
    }

    @Test func aRefusalIsForAllOfThem() async throws {
        let fixture = try await opened("fern", "oak")
        _ = await failure { _ = try await token(fixture) }
        _ = try await fixture.agent.sessions.refuse(
            try #require(fixture.asked.all.first).id, for: AgentFixture.person)
        for target in [nil, "fern", "oak"] {
            #expect(await failure { _ = try await token(fixture, target) }?.kind == .locked)
        }
        #expect(fixture.asked.count == 1)
    }

    /// What does not fit into a few windows is typed.
    @Test func windowsDoNotOfferMoreThanFiveSessions() async throws {
        let fixture = try await opened("ash", "birch", "elm", "fern", "oak", "yew")
        _ = await failure { _ = try await token(fixture) }
        let id = try #require(fixture.asked.all.first).id
        fixture.screen.readsAll(thenTypes: MemoryGate.pin)
        let told = await failure { _ = try await fixture.agent.sessions.review(id) }
        #expect(told?.kind == .ambiguous && told?.hint?.contains("countersign allow \(id) --session") == true)
        #expect(fixture.screen.kinds == [] && fixture.retracted.count == 0)
    }

    @Test func oneThatFitsAloneIsNamedOrNot() async throws {
        let fixture = try await opened()
        _ = await failure { _ = try await token(fixture) }
        let request = try #require(try await listed(fixture).first)
        #expect(request.session == "fern" && request.choices.map(\.session) == ["fern"])
        #expect(await failure { _ = try await allow(fixture, request.id, "oak") }?.kind == .ambiguous)
        #expect(try await allow(fixture, request.id, "fern").grant?.session == "fern")
    }

    // MARK: Claims

    @Test func whatAProgramCallsItselfIsShownAsItsWord() async throws {
        let fixture = try await opened()
        _ = await failure { _ = try await token(fixture, name: "Ba\u{202E}ckup") }
        let request = try #require(try await listed(fixture).first)
        let shown = DisplayText(BankText("Ba\u{202E}ckup")).line
        #expect(request.claims?.name == shown && shown != "Ba\u{202E}ckup")
        #expect(request.program.text == "unit:backup.service")
        // Another name is no other request.
        _ = await failure { _ = try await token(fixture, name: "Mail") }
        #expect(fixture.asked.count == 1)
        fixture.screen.answers(.yes, .no, .typed(MemoryGate.pin))
        #expect(try await fixture.agent.sessions.review(request.id))
        #expect(try #require(fixture.screen.asked.all.first).text.contains("It calls itself: \(shown)"))
        // Nothing depends on it.
        #expect(try await token(fixture, name: "Mail") == "t-fern")
    }

    @Test(arguments: ["", String(repeating: "x", count: 61), "a\nb", "a\u{7F}"]) func aNameThatIsNone(_ name: String) {
        #expect(throws: Failure.self) { try TokenTerms(name: name) }
        #expect(throws: Never.self) { try TokenTerms(name: String(repeating: "x", count: 60)) }
    }

    @Test(arguments: [
        ("PROPFIND", true), ("M-SEARCH", true), ("get!", true), ("", false), ("GE T", false), ("GÉT", false),
    ])
    func aMethodIsAWord(_ text: String, _ isOne: Bool) {
        #expect((HTTPToken(text) != nil) == isOne)
        #expect(HTTPToken(String(repeating: "x", count: 33)) == nil)
    }

    // MARK: Windows

    /// What the PIN grants is shown whole before, page by page, and no window cuts a page.
    @Test(arguments: [1, 60]) func allOfItIsShown(_ count: Int) async throws {
        let scopes = (1...count).map { "https://www.fern.example/auth/scope.number.\($0)" }
        let fixture = try await opened(scopes: scopes.joined(separator: " "))
        _ = await failure { _ = try await token(fixture) }
        fixture.screen.readsAll(thenTypes: MemoryGate.pin)
        #expect(try await fixture.agent.sessions.review(try #require(fixture.asked.all.first).id))
        let pages = fixture.screen.asked.all.filter { $0.text.hasPrefix("May this program have tokens?") }.map(\.text)
        #expect((pages.count > 1) == (count > 1))
        let words = Set(pages.joined(separator: "\n").split { " \n".contains($0) }.map(String.init))
        #expect(words.isSuperset(of: scopes), "\(scopes.filter { !words.contains($0) })")
        for page in pages {
            #expect(AssuanText.length("SETDESC " + page) <= AssuanText.longestLine)
            #expect(page.split(separator: "\n").count <= 16)
        }
        #expect(try #require(try fixture.sessions.store.grants().first).scopes.all.count == count)
    }

    /// A no on a later page is one, too.
    @Test func aNoOnTheSecondPageRefuses() async throws {
        let fixture = try await opened(scopes: (1...99).map { "scope.number.\($0)" }.joined(separator: " "))
        _ = await failure { _ = try await token(fixture) }
        fixture.screen.answers(.yes, .no)
        #expect(try await !fixture.agent.sessions.review(try #require(fixture.asked.all.first).id))
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
        #expect(fixture.asked.count == 1)
    }

    @Test func whatIsTooLongIsNotAllowedInAWindow() async throws {
        let fixture = try await opened(
            scopes: (1...99).map { String(repeating: "s", count: 50) + "\($0)" }.joined(separator: " "))
        _ = await failure { _ = try await token(fixture) }
        let id = try #require(fixture.asked.all.first).id
        fixture.screen.readsAll(thenTypes: MemoryGate.pin)
        let told = await failure { _ = try await fixture.agent.sessions.review(id) }
        #expect(told?.kind == .refused && told?.hint == "see it whole on a terminal: countersign allow \(id)")
        #expect(fixture.screen.kinds == [] && fixture.retracted.count == 0)
        #expect(try await listed(fixture).map(\.id) == [id])
        // The terminal scrolls.
        #expect(try await allow(fixture, id).grant?.scopes.count == 99)
    }

    /// Each use that takes the PIN shows the whole as well.
    @Test(arguments: [1, 60]) func aUseThatTakesThePINShowsAllOfIt(_ count: Int) async throws {
        let scopes = (1...count).map { "https://www.fern.example/auth/scope.number.\($0)" }
        let fixture = try await opened(scopes: scopes.joined(separator: " "))
        _ = try fixture.sessions.allow(
            GrantOptions(
                Program(.unit, "backup.service"), try #require(SessionName("fern")), scopes: nil, resources: [],
                try AllowOptions(.asked)))
        fixture.screen.readsAll(thenTypes: MemoryGate.pin)
        #expect(try await token(fixture, wait: 60) == "t-fern")
        #expect(fixture.screen.kinds.last == .pin && (fixture.screen.kinds.count > 1) == (count > 1))
        let words = Set(fixture.screen.asked.all.flatMap { $0.text.split { " \n".contains($0) }.map(String.init) })
        #expect(words.isSuperset(of: scopes))
    }

    // MARK: What a program hears of itself

    @Test func aProgramHearsOfItsOwnGrants() async throws {
        let fixture = try await opened("fern", "oak")
        fixture.programs.set(PeerProgram(.unit, "mail.service"), of: "front-end")
        let wing = fixture.agent.sessions
        let (backup, mail) = (fixture.known(Self.backup), fixture.known(AgentFixture.frontEnd))
        for (program, session) in [("backup", "fern"), ("mail", "oak")] {
            _ = try fixture.sessions.allow(
                GrantOptions(
                    Program(.unit, program + ".service"), try #require(SessionName(session)), scopes: nil,
                    resources: [],
                    try AllowOptions()))
        }
        #expect(try await wing.ownSessions(for: backup).sessions.map(\.name) == ["fern"])
        #expect(try await wing.ownSessions(for: backup).sessions.map(\.status) == ["active"])
        #expect(try await wing.ownGrants(for: backup).grants.map(\.program.text) == ["unit:backup.service"])
        #expect(try await wing.ownSessions(for: mail).sessions.map(\.name) == ["oak"])
        // Whoever cannot be told from others has nothing.
        #expect(try await wing.ownSessions(for: Self.backup).sessions == [])
        #expect(try await wing.ownGrants(for: Self.backup).grants == [])
        try await wing.revokeOwn(for: backup)
        #expect(try await wing.ownSessions(for: backup).sessions == [])
        #expect(try await wing.ownGrants(for: backup).grants == [])
        try await fixture.lock(by: .command)
        #expect(await failure { _ = try await wing.ownSessions(for: mail) }?.kind == .locked)
    }
}
