@testable import Agent
import Basics
import SessionModel
import Sessions
import Testing

/// Sites in an agent: seen while sessions are at hand, bound by the PIN.
@Suite(.timeLimit(.minutes(5))) struct SiteWingTests {
    private func opened() async throws -> AgentFixture {
        let fixture = try await AgentFixture()
        try fixture.addSession("https://fern.example", token: "t-fern")
        return try await fixture.unlock()
    }

    /// A site of many hosts, which no service is asked about.
    private func add(_ fixture: AgentFixture, pin: String = MemoryGate.pin, proof: Site.Proof = .person) async throws
        -> SitePayload
    {
        let wish = try Sites.Wish(rule: ".fern.example", session: "fern")
        return try await fixture.agent.sessions.addSite(
            NewSite(wish, proof: proof), pin: try MemoryGate.secret(pin), from: .person, for: AgentFixture.person
        ).site
    }

    @Test func aSiteIsBoundByThePIN() async throws {
        let fixture = try await opened()
        #expect(await failure { _ = try await add(fixture, pin: MemoryGate.wrong) }?.kind == .locked)
        #expect(try fixture.sessions.store.sites().isEmpty)
        // The person saw something else on the card.
        #expect(await failure { _ = try await add(fixture, proof: .metadata) }?.kind == .changed)
        #expect(try fixture.sessions.store.sites().isEmpty)
        let site = try await add(fixture)
        #expect(site.host == ".fern.example" && site.verified == "person")
        let sessions = fixture.agent.sessions
        #expect(try await sessions.perform(SiteVerbs.sites).sites == [site])
        let address = try WebAddress("https://api.fern.example/me")
        #expect(try await sessions.perform(SiteVerbs.match, SiteMatchRequest(url: address)).match == nil)
        let challenged = SiteMatchRequest(url: address, challenge: ["Bearer"])
        let match = try await sessions.perform(SiteVerbs.match, challenged).match
        #expect(match?.site == site.id && match?.session == "fern")
        #expect(
            try await sessions.perform(SiteVerbs.check, SiteCheckRequest(site: nil)).checks.map(\.message).count == 1)
        #expect(try await sessions.perform(SiteVerbs.remove, on: site.id).removed.id == site.id)
        #expect(await failure { _ = try await sessions.perform(SiteVerbs.remove, on: site.id) }?.kind == .notFound)
    }

    @Test func nothingIsBoundWhileSessionsAreNotAtHand() async throws {
        let fixture = try await opened()
        try await fixture.lock(by: .command)
        #expect(await failure { _ = try await add(fixture) }?.kind == .locked)
        #expect(try fixture.sessions.store.sites().isEmpty)
    }
}
