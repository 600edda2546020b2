@testable import Approvals
import Basics
import Display
import FoundationEssentials
import ApprovalModel
import Keys
import Testing

/// A provider that differs from the first in every way works with the same use-cases, beside it.
struct SecondProviderTests {
    private let fern = FernProvider()
    private let world: World
    /// As in a command without an agent: each verb is carried out in this process.
    private let operations: LocalOperations
    private let workspace: Workspace

    init() throws {
        world = try World(.init(list: .success(World.list([try World.authorization()]))))
        var workspace = try world.workspace()
        workspace.providers = Providers(workspace.providers.all + [fern])
        self.workspace = workspace
        operations = LocalOperations(
            workspace,
            .init(
                gate: DecidingTests.OpenGate(), positions: [:], links: LinkReaders([FernLinks()]),
                makeID: { "fern-guid" }),
            for: DecidingTests.requester)
    }

    /// Enrolls at Fern. The connection's name is made from the bank's.
    private func enroll() async throws {
        let steps = try operations.enrollment(.link(GivenLink("fern:enroll?user=ada&secret=s3"), name: nil))
        let offer = try await steps.begin()
        #expect(offer.bank.line == "Fern" && offer.host.line == "fern.example")
        let connected = try await steps.accept(returnURL: "")
        #expect(connected.connection?.name == "fern" && connected.connection?.protocol == "fern-1")
    }

    /// Claims a link; returns the reference of its request.
    private func ask(_ link: String = "fern:ask?id=77&user=ada") async throws -> String {
        #expect(try await operations.candidates(for: GivenLink(link)).connections.map(\.name) == ["fern"])
        return try #require(try await operations.claim(GivenLink(link), for: "fern").action.authorization)
    }

    private func request(_ ref: String) async throws -> DecisionRequest {
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        return DecisionRequest(ref: ref, fingerprint: card.fingerprint, position: nil, waits: true)
    }

    @Test func aRequestFromALinkIsListedWithoutAnExpiry() async throws {
        try await enroll()
        let ref = try await ask()
        let cards = try await operations.pending(nil).authorizations
        #expect(Set(cards.map(\.reference)) == [ref, "fernbank:77"])
        let card = try #require(cards.first { $0.reference == ref })
        #expect(card.expiresAt == nil && !card.isExpired(at: .distantFuture) && card.timeLeft(at: World.now) == nil)
        #expect(String(decoding: try JSONForm.encode(card), as: UTF8.self).contains(#""expires_at":null"#))
        #expect(!card.plainLines(at: World.now, askedBy: DisplayText("a test")).contains { $0.hasPrefix("Expire") })
        #expect(!card.lines(at: World.now, width: 60, style: .plain).contains { $0.contains("expire") })
    }

    @Test func aRequestIsApprovedWithTheSecretOfItsConnection() async throws {
        try await enroll()
        let ref = try await ask()
        let decision = try await operations.approve(
            try await request(ref), pin: PlainSecret("271828"), from: .person, isGivenUp: { false })
        #expect(decision.outcome == .confirmed && decision.basis == .answered)
        #expect(fern.server.contents.withLock { $0.sent } == ["77|s3"])
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func aDenialIsRecordedButNotSent() async throws {
        try await enroll()
        let ref = try await ask()
        let decision = try await operations.deny(
            try await request(ref), pin: nil, from: .person, isGivenUp: { false })
        #expect(decision.outcome == .denied && decision.basis == nil && decision.error == nil)
        #expect(world.log.events.suffix(2) == [.sending(.deny, try #require(BankID("77"))), .answered(.denied)])
        #expect(fern.server.contents.withLock { $0.sent } == [])
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func aRevocationWithoutAMessageIsLocal() async throws {
        try await enroll()
        #expect(try world.vault.keyIDs().count == 2)
        let revoked = try await operations.revoke("fern", localOnly: false).revoked
        #expect(!revoked.bankTold && revoked.alreadyRevoked == nil)
        #expect(try world.vault.keyIDs() == [KeyID("old")])
        #expect(try await operations.connections().connections.map(\.name) == ["fernbank"])
    }

    @Test func onlyWhatListingNeedsIsKeptWhileHidden() async throws {
        try await enroll()
        let providers = Providers([fern])
        var connection = try #require(
            try world.connections.connections().first { $0.wireProtocol == FernProvider.wire })
        connection.state = try connection.state.changed(FernState.self) { $0.motto = "Fern and proud of it" }
        let bare = try providers.bare(connection)
        #expect(
            bare.fern == FernState(user: "ada", motto: "") && bare.bankName == BankText("") && bare.name.text == "bank")
        let secrets = try providers.secrets(of: connection, in: world.vault)
        #expect((secrets.value(.shared) as? PlainSecret)?.text == "s3" && secrets.value(.token) == nil)
        _ = try await ask()
        fern.forget()
        #expect(try await operations.pending("fern").authorizations.isEmpty)
    }

    @Test func aLinkOfNoProviderIsRefused() {
        #expect { try operations.enrollment(.link(GivenLink("oak:enroll?user=ada&secret=s3"), name: nil)) } throws: {
            ($0 as? LinkError)?.kind == .unknownScheme
        }
    }

    // MARK: Options and codes

    private func approve(_ ref: String, _ option: String?) async throws -> DecisionPayload {
        var request = try await request(ref)
        request.option = option
        return try await operations.approve(
            request, pin: PlainSecret("271828"), from: .person, isGivenUp: { false })
    }

    @Test func theChosenOptionIsSigned() async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=78&user=ada&options=oak,elm")
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        #expect(card.options == ["oak", "elm"])
        let plain = card.plainLines(at: World.now, askedBy: DisplayText("a test"))
        #expect(
            plain.split(separator: "To approve, choose one of:").last?.prefix(3) == [
                "> oak", "> elm", "Bank: Fern",
            ])
        #expect(card.lines(at: World.now, width: 60, style: .plain).contains("│   oak"))
        let decision = try await approve(ref, "elm")
        #expect(decision.outcome == .confirmed && decision.code == nil)
        #expect(fern.server.contents.withLock { $0.sent } == ["78|s3|elm"])
    }

    /// Nothing is sent without one of the options, whoever asks.
    @Test(
        arguments: [
            (nil, DecisionError.needsOption), ("ash", .noSuchOption), ("ELM", .noSuchOption), ("", .noSuchOption),
        ] as [(String?, DecisionError)])
    func withoutAValidOptionNothingIsSent(_ option: String?, _ code: DecisionError) async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=78&user=ada&options=oak,elm")
        let expected = Failure(code).naming(reference: ref)
        await #expect { try await approve(ref, option) } throws: { Failure($0).message == expected.message }
        #expect(world.log.events == [])
        #expect(fern.server.contents.withLock { $0.sent } == [])
    }

    @Test func aRequestWithoutOptionsTakesNone() async throws {
        try await enroll()
        let ref = try await ask()
        await #expect { try await approve(ref, "elm") } throws: { Failure($0).kind == .usage }
        #expect(fern.server.contents.withLock { $0.sent } == [])
    }

    /// After two wrong options the request can only be denied.
    @Test func afterTwoWrongOptionsItCanOnlyBeDenied() async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=78&user=ada&options=oak,elm")
        for count in 1...2 {
            let decision = try await approve(ref, "oak")
            #expect(decision.outcome == .refused && decision.error?.kind == .refused)
            let card = try await operations.card(ref, abbreviated: false, withSource: false)
            let entry = try World.entry(outcome: .refused, content: 9)
            world.log.contents.withLock { $0.waiting = Array(repeating: entry, count: count) }
            #expect(try world.log.entries().refusals(of: card.fingerprint) == count)
        }
        await #expect { try await approve(ref, "elm") } throws: {
            Failure($0).kind == .refused && Failure($0).message.contains("only be denied")
        }
        #expect(fern.server.contents.withLock { $0.sent } == ["78|s3|oak", "78|s3|oak"])
        let denied = try await operations.deny(try await request(ref), pin: nil, from: .person, isGivenUp: { false })
        #expect(denied.outcome == .denied)
    }

    /// Options that look alike cannot be told apart, so they are left out.
    @Test(
        arguments: [
            ("oak,oak", []), ("oak,elm,oak", ["elm"]), ("%20,elm", ["elm"]), ("01,10", ["01", "10"]),
        ] as [(String, [String])])
    func optionsThatLookAlikeAreLeftOut(_ options: String, _ shown: [String]) async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=78&user=ada&options=\(options)")
        #expect(try await operations.card(ref, abbreviated: false, withSource: false).options == shown)
    }

    /// An option is named by its text, in any case, or by its number in the list if no option is a number.
    @Test(
        arguments: [
            ("oak,elm", "elm", "elm"), ("oak,elm", " elm ", "elm"), ("oak,elm", "ELM", "elm"), ("oak,elm", "2", "elm"),
            ("oak,elm", "3", nil), ("oak,elm", "0", nil), ("2,1", "1", "1"), ("2,1", "2", "2"), ("17,93", "1", nil),
            ("A,a", "a", "a"), ("Aa,aA", "AA", nil), ("oak,7", "1", nil), ("oak,elm", "", nil),
        ] as [(String, String, String?)])
    func theTypedTextNamesAnOption(_ options: String, _ typed: String, _ option: String?) async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=78&user=ada&options=\(options)")
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        #expect(card.option(typed: typed) == option)
    }

    @Test func aCodeIsToldOnceAndNotStored() async throws {
        try await enroll()
        let ref = try await ask("fern:ask?id=79&user=ada&code=07")
        let decision = try await approve(ref, nil)
        #expect(decision.outcome == .confirmed && decision.code == "07" && decision.warning == nil)
        let json = String(decoding: try JSONForm.encode(decision), as: UTF8.self)
        #expect(json.contains(#""code":"07""#) && json.contains(#""code_message":null"#))
        #expect(!"\(world.log.events)".contains("07"))
    }

    @Test(arguments: [DenialReason.notMe, .cancelled])
    func aReasonIsSentOnlyIfTheBankAcceptsIt(_ reason: DenialReason) async throws {
        try await enroll()
        let connection = try #require(
            try world.connections.connections().first { $0.wireProtocol == FernProvider.wire })
        let ref = try await ask()
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        #expect(card.denialReasons == [.notMe])
        let item = try await Deciding(workspace).fetch(try #require(BankID("77")), of: connection)
        let decided = try await Deciding(workspace).deny(
            try DecidingTests.shown(item, of: connection), reason: reason, at: nil, by: DecidingTests.requester,
            waiting: DecidingTests.waiting)
        #expect(decided.outcome == .denied)
        #expect(world.log.signed.last == (reason == .notMe ? "77|s3|not-me" : "77|s3"))
    }
}
