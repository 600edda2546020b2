@testable import Agent
import Basics
import Keys
import Ledger
import LocalSocket
import Records
@testable import SessionModel
@testable import Sessions
import Testing

/// Grants that an earlier build suspended and kept: they give nothing, and nobody sees them.
@Suite(.timeLimit(.minutes(2))) struct SuspendedGrantTests {
    private static let backup = SessionWingTests.backup

    /// A grant as earlier builds stored it.
    private struct FormerGrant: Codable, Sendable {
        enum CodingKeys: CodingKey { case isSuspended }

        var grant: ProgramGrant
        var isSuspended: Bool

        init(_ grant: ProgramGrant, isSuspended: Bool) {
            self.grant = grant
            self.isSuspended = isSuspended
        }

        init(from decoder: any Decoder) throws {
            grant = try ProgramGrant(from: decoder)
            let container = try decoder.container(keyedBy: CodingKeys.self)
            isSuspended = try container.decodeIfPresent(Bool.self, forKey: .isSuspended) ?? false
        }

        func encode(to encoder: any Encoder) throws {
            try grant.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isSuspended, forKey: .isSuspended)
        }
    }

    /// An agent that was opened at a home where an earlier build had stored this grant of `unit:backup.service`, and one of
    /// `unit:mail.service`.
    private func opened(
        _ use: ProgramGrant.Use, isSuspended: Bool
    ) async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        fixture.programs.set(PeerProgram(.unit, "backup.service"), of: "backup")
        try fixture.addSession("https://fern.example", token: "t-fern")
        _ = try allow("mail", .open, fixture)
        let id = try allow("backup", use, fixture)
        let grant = try #require(try fixture.sessions.store.grants().first { $0.id == id })
        let table = try table(fixture)
        let former = FormerGrant(grant, isSuspended: isSuspended)
        try fixture.database.apply(
            [try table.replacing(former, as: id)], sealedBy: try fixture.vault.sessionsKey())
        return try await fixture.unlock()
    }

    private func table(_ fixture: AgentFixture) throws -> SecretTable<FormerGrant> {
        SecretTable("permit", in: fixture.database, sealer: try fixture.vault.sessionsKey())
    }

    private func allow(_ name: String, _ use: ProgramGrant.Use, _ fixture: AgentFixture) throws -> String {
        let options = GrantOptions(
            Program(.unit, name + ".service"), try #require(SessionName("fern")), scopes: nil, resources: [],
            try AllowOptions(use))
        return try fixture.sessions.allow(options).grant.id
    }

    private func token(_ fixture: AgentFixture) async throws -> String {
        let request = TokenRequest(target: "fern", try TokenTerms())
        return try await fixture.agent.sessions.token(request, for: fixture.known(Self.backup)).token.value
    }

    @Test(arguments: ProgramGrant.Use.allCases) func itGivesNothing(_ use: ProgramGrant.Use) async throws {
        let fixture = try await opened(use, isSuspended: true)
        let (wing, caller) = (fixture.agent.sessions, fixture.known(Self.backup))
        #expect(await failure { _ = try await token(fixture) } == SessionError.notGranted.failure)
        #expect(try await wing.ownGrants(for: caller).grants == [])
        #expect(try await wing.ownSessions(for: caller).sessions == [])
        await fixture.agent.core.screenLocked()
        #expect(try await fixture.agent.handshake().sessions == .shut)
        #expect(await failure { _ = try await token(fixture) }?.kind == .locked)
    }

    @Test func itIsNoGrantForThePerson() async throws {
        let fixture = try await opened(.open, isSuspended: true)
        let sessions = try fixture.sessions
        #expect(try sessions.grants().grants.map(\.program.text) == ["unit:mail.service"])
        #expect(try sessions.store.damagedRows() == [:])
        let id = try #require(try table(fixture).values().first { $0.isSuspended }).grant.id
        #expect(await failure { _ = try await sessions.revokeGrant(id) }?.kind == .notFound)
        #expect(throws: StoreError.self) { try sessions.store.change(id) { _ in nil } }
    }

    private enum Write: CaseIterable {
        case adds, changes, removes, signsOut
    }

    /// Its row goes with the next grant that is written.
    @Test(arguments: Write.allCases) private func itsRowGoes(_ write: Write) async throws {
        let fixture = try await opened(.open, isSuspended: true)
        let sessions = try fixture.sessions
        let mail = try #require(try sessions.store.grants().first)
        #expect(try fixture.database.rows(of: "permit") == 2)
        switch write {
        case .adds: _ = try allow("other", .open, fixture)
        case .changes: try sessions.noteFirstUse(of: mail)
        case .removes: _ = try await sessions.revokeGrant(mail.id)
        case .signsOut: try sessions.store.remove(mail.session, owing: [], noting: nil)
        }
        #expect(try table(fixture).values().allSatisfy { !$0.isSuspended })
        #expect(try fixture.database.rows(of: "permit") == sessions.store.grants().count)
    }

    /// Rows of earlier builds that were not suspended stay as they are.
    @Test func anActiveGrantOfAnEarlierBuildGoesOn() async throws {
        let fixture = try await opened(.open, isSuspended: false)
        #expect(try await token(fixture) == "t-fern")
        #expect(try fixture.sessions.store.grants().map(\.uses).sorted() == [0, 1])
    }
}
