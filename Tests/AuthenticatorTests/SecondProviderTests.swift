@testable import Authenticator
import Basics
import FoundationEssentials
import SCA
import Testing

/// A provider that is unlike the first in every way goes through the same use-cases, beside it.
struct SecondProviderTests {
    private let fern = FernProvider()
    private let world: World
    private let operations: LocalOperations

    init() throws {
        world = try World(.init(list: .success(World.list([try World.authorization()]))))
        var session = try world.session()
        session.providers = Providers(session.providers.all + [fern])
        operations = LocalOperations(
            session,
            .init(
                gate: DecidingTests.OpenGate(), positions: [:], links: LinkReaders([FernLinks()]),
                makeID: { "fern-guid" }),
            for: DecidingTests.requester)
    }

    /// Enrolls at Fern; its name is made from the bank's.
    private func enroll() async throws {
        let steps = try operations.enroll("fern:enroll?user=ada&secret=s3", name: nil)
        let offer = try await steps.begin()
        #expect(offer.bank.line == "Fern" && offer.host.line == "fern.example")
        let connected = try await steps.accept(returnURL: "")
        #expect(connected.connection?.name == "fern" && connected.connection?.protocol == "fern-1")
    }

    /// Brings the request of a link; its reference.
    private func ask() async throws -> String {
        let link = "fern:ask?id=77&user=ada"
        #expect(try await operations.candidates(for: link).connections.map(\.name) == ["fern"])
        return try #require(try await operations.claim(link, for: "fern").action.authorization)
    }

    private func request(_ ref: String) async throws -> DecisionRequest {
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        return DecisionRequest(ref: ref, fingerprint: card.fingerprint, position: nil, waits: true)
    }

    @Test func whatCameByLinkStandsInTheListWithoutATime() async throws {
        try await enroll()
        let ref = try await ask()
        let cards = try await operations.pending(nil).authorizations
        #expect(Set(cards.map(\.reference)) == [ref, "fernbank:77"])
        let card = try #require(cards.first { $0.reference == ref })
        #expect(card.expiresAt == nil && !card.isExpired(at: .distantFuture) && card.timeLeft(at: World.now) == nil)
        #expect(String(decoding: try JSONForm.encode(card), as: UTF8.self).contains(#""expires_at":null"#))
        #expect(!card.plainLines(at: World.now, width: 60).contains { $0.hasPrefix("Expire") })
        #expect(!card.lines(at: World.now, width: 60, style: .plain).contains { $0.contains("expire") })
    }

    @Test func itIsApprovedWithTheSecretOfItsConnection() async throws {
        try await enroll()
        let ref = try await ask()
        let decision = try await operations.approve(
            try await request(ref), pin: PlainSecret("271828"), from: .person, isGivenUp: { false })
        #expect(decision.outcome == .confirmed && decision.basis == .answered)
        #expect(fern.house.contents.withLock { $0.sent } == ["77|s3"])
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func aDenialIsRecordedAndSentNowhere() async throws {
        try await enroll()
        let ref = try await ask()
        let decision = try await operations.deny(
            try await request(ref), pin: nil, from: .person, isGivenUp: { false })
        #expect(decision.outcome == .denied && decision.basis == nil && decision.error == nil)
        #expect(world.log.events.suffix(2) == [.sending(.deny, try #require(BankID("77"))), .answered(.denied)])
        #expect(fern.house.contents.withLock { $0.sent } == [])
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func anEndThatNobodyIsToldOfIsLocal() async throws {
        try await enroll()
        #expect(try world.vault.keyIDs().count == 2)
        let revoked = try await operations.revoke("fern", localOnly: false).revoked
        #expect(!revoked.bankTold && revoked.alreadyRevoked == nil)
        #expect(try world.vault.keyIDs() == [KeyID("old")])
        #expect(try await operations.connections().connections.map(\.name) == ["fernbank"])
    }

    @Test func whileNothingMayBeShownNothingIsKeptButWhatListingNeeds() async throws {
        try await enroll()
        let providers = Providers([fern])
        var connection = try #require(
            try world.connections.connections().first { $0.wireProtocol == FernProvider.wire })
        connection.details["motto"] = "Fern and proud of it"
        let bare = try providers.bare(connection)
        #expect(bare.details == ["user": "ada"] && bare.bankName == BankText("") && bare.name.text == "bank")
        let secrets = try providers.secrets(of: connection, in: world.vault)
        #expect((secrets.shared as? PlainSecret)?.text == "s3" && secrets.ownKey == nil && secrets.accessToken == nil)
        _ = try await ask()
        fern.forget()
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func aLinkOfNobodyIsRefused() {
        #expect { try operations.enroll("oak:enroll?user=ada&secret=s3", name: nil) } throws: {
            ($0 as? LinkError)?.code == .unknownScheme
        }
    }
}
