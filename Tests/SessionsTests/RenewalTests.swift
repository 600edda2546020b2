import Basics
import FoundationEssentials
import Keys
import Synchronization
import Testing

@testable import SessionModel

/// What is kept, handed out and asked for around a renewal (oauth sections 3, 6.2, 7.2, 7.5, 7.6).
struct RenewalTests {
    private typealias Calls = KeeperFixture.Calls

    /// Nothing is sent, and what is good is handed out.
    @Test(arguments: [(280, "a1"), (300, "unusable")] as [(Int64, String)]) func aMarkThatCannotBeWritten(
        _ age: Int64, _ given: String
    ) async throws {
        let fern = try KeeperFixture()
        fern.time.pass(age)
        fern.store.state.withLock { $0.failures = 9 }
        let keeper = fern.keeper()
        if given == "a1" {
            #expect(try await fern.outcome(keeper, lasting: 60) == given)
        } else {
            await #expect(throws: StoreError.unusable("the disk is full")) {
                try await keeper.token(of: fern.session, lasting: 60)
            }
        }
    }

    /// An issuer that did not say how long its token lives: five minutes, as before.
    @Test func anEndedSessionGivesATokenForItsUsualLifeOnly() async throws {
        let fern = try KeeperFixture(lifetime: nil)
        let calls = Calls([.rejected(Rejection(.grant))])
        fern.time.pass(250)
        #expect(try await fern.outcome(fern.keeper(calls.issuer), lasting: 60) == "a1")
        #expect(try fern.row.end == .rejected)
        #expect(try await fern.outcome(fern.keeper()) == "a1")
        fern.time.pass(41)
        #expect(try await fern.outcome(fern.keeper()) == "signedOut")
    }

    /// A failure writes the row, too.
    @Test func tokensThatRanOutAreSweptAtEachWrite() async throws {
        let fern = try KeeperFixture()
        let calls = Calls([.granted(TokenKeeperTests.grant(2)), .notSent(reason: "away")])
        #expect(try await fern.outcome(fern.keeper(calls.issuer), KeeperFixture.mail) == "a2")
        #expect(try fern.row.access.count == 2)
        fern.time.pass(300)
        #expect(try await fern.outcome(fern.keeper(calls.issuer)) == "unreachable")
        #expect(try fern.row.access.isEmpty)
    }

    /// Its ID token is judged by it.
    @Test func whatIsNotJudgedYetIsNotSwept() throws {
        let fern = try KeeperFixture()
        fern.change { $0.unjudgedSince = Date() }
        fern.time.pass(300)
        #expect(try fern.row.swept(at: Moment(fern.time.clock)).access.count == 1)
    }

    /// Until it runs out. The issuer may be mended then.
    @Test func anUnknownKindOfTokenIsRefusedWhileItLasts() async throws {
        let fern = try KeeperFixture(type: .other(BankText("mac")))
        #expect(try await fern.outcome(fern.keeper()) == "refused")
        fern.time.pass(300)
        #expect(try await fern.outcome(fern.keeper(Calls().issuer)) == "a2")
    }

    /// For ten minutes the issuer is not asked again for what it refused, and the same is told; other things are asked for.
    @Test(arguments: [Rejection.Kind.scope, .target]) func aRefusedAimIsRemembered(_ kind: Rejection.Kind) async throws
    {
        let fern = try KeeperFixture()
        let calls = Calls([
            .rejected(Rejection(kind, word: BankText("invalid_x"))), .granted(TokenKeeperTests.grant(2)),
        ])
        let keeper = fern.keeper(calls.issuer)
        func told() async throws -> Failure {
            do {
                _ = try await keeper.token(of: fern.session, for: KeeperFixture.mail, lasting: 0)
                throw StoreError.damaged("a token")
            } catch { return try #require(error as? any PresentableError).failure }
        }
        let first = try await told()
        #expect(first.kind == .refused)
        if kind == .scope {
            #expect(first.message == "the issuer of fern does not grant: mail (the issuer says: invalid_x)")
            #expect(first.hint == "countersign login fern --scope mail --scope openid")
        }
        fern.time.pass(599)
        let second = try await told()
        #expect((second.message, second.hint) == (first.message, first.hint))
        #expect(calls.sent.withLock { $0 } == ["r1 mail"])
        // The session is as it was.
        #expect(try await fern.outcome(keeper) == "a2")
        fern.time.pass(1)
        #expect(try await fern.outcome(keeper, KeeperFixture.mail) == "a4")
        #expect(calls.sent.withLock { $0 } == ["r1 mail", "r1 -", "r2 mail"])
    }

    @Test func aRefusedResourceIsNamed() throws {
        let fern = try KeeperFixture()
        let aim = TokenAim(resources: [try #require(ResourceIndicator("https://api.fern.example/"))])
        let told = SessionError.aimRefused(fern.session, aim, Rejection(.target)).failure
        #expect(told.message == "the issuer of fern gives no tokens for: https://api.fern.example/")
        #expect(told.hint == "countersign login fern --resource https://api.fern.example/")
    }

    // MARK: What the issuer says of itself

    private func metadata(_ fern: KeeperFixture, _ change: (inout IssuerMetadata) throws -> Void) throws
        -> IssuerMetadata
    {
        var metadata = fern.session.issuer
        metadata.fetchedAt = fern.time.clock.now()
        try change(&metadata)
        return metadata
    }

    /// Once a day, at a renewal.
    @Test(arguments: [(86_000, false), (86_500, true)] as [(Double, Bool)]) func metadataIsFetchedAgain(
        _ age: Double, _ isFetched: Bool
    ) async throws {
        let fern = try KeeperFixture(fetchedAt: 1_001_300 - age)
        fern.time.pass(300)
        let newer = try metadata(fern) { metadata in
            metadata.tokenEndpoint = try WebAddress("https://fern.example/new")
            metadata.revocationEndpoint = try WebAddress("https://other.example/revoke")
        }
        var issuer = Calls().issuer
        issuer.onDiscover = { () async throws(IssuerError) in DiscoveredIssuer(newer) }
        #expect(try await fern.outcome(fern.keeper(issuer)) == "a2")
        let kept = try #require(try fern.store.sessions().first).issuer
        #expect((kept.tokenEndpoint == newer.tokenEndpoint) == isFetched)
        #expect((kept.fetchedAt == newer.fetchedAt) == isFetched)
        // The person has agreed to no other host.
        #expect(kept.revocationEndpoint == fern.session.issuer.revocationEndpoint)
    }

    @Test(arguments: ["https://other.example/token", "https://fern.example:8443/token"])
    func tokensGoToTheSameHost(_ address: String) async throws {
        let fern = try KeeperFixture(fetchedAt: 0)
        fern.time.pass(300)
        let newer = try metadata(fern) { $0.tokenEndpoint = try WebAddress(address) }
        var issuer = Calls().issuer
        issuer.onDiscover = { () async throws(IssuerError) in DiscoveredIssuer(newer) }
        #expect(try await fern.outcome(fern.keeper(issuer)) == "a2")
        #expect(try fern.store.sessions().first?.issuer.tokenEndpoint == fern.session.issuer.tokenEndpoint)
    }

    /// Nor is it asked at each renewal then.
    @Test(arguments: [true, false]) func metadataThatCannotBeHadFailsNothing(_ isOfAnother: Bool) async throws {
        let fern = try KeeperFixture(fetchedAt: 0)
        let other = try #require(Issuer("https://other.example"))
        let another = IssuerMetadata(
            issuer: other, authorizationEndpoint: other.address, tokenEndpoint: other.address, fetchedAt: Date())
        let asked = Mutex(0)
        var issuer = Calls().issuer
        issuer.onDiscover = { () async throws(IssuerError) in
            asked.withLock { $0 += 1 }
            if isOfAnother { return DiscoveredIssuer(another) }
            throw IssuerError.unreachable(reason: "away")
        }
        for (round, expected) in [1, 1, 2].enumerated() {
            fern.time.pass(round == 2 ? 3600 : 300)
            #expect(try await fern.outcome(fern.keeper(issuer)) == "a\(round + 2)")
            #expect(asked.withLock { $0 } == expected)
        }
        #expect(try fern.store.sessions().first?.issuer == fern.session.issuer)
    }

    @Test func aSessionOfAFileIsAsTheFileSays() async throws {
        let fern = try KeeperFixture(fetchedAt: 0)
        _ = try fern.store.update(fern.session.id) { session, _ in session.extras.isDescribed = true }
        fern.time.pass(300)
        var issuer = Calls().issuer
        issuer.onDiscover = { () async throws(IssuerError) in
            Issue.record("it was asked")
            throw IssuerError.unreachable(reason: "away")
        }
        #expect(try await fern.outcome(fern.keeper(issuer)) == "a2")
    }
}
