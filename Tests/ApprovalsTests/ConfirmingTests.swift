@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

/// Keys that are sent once, in a call whose answer can be lost: what is kept, what is asked again, and when.
struct ConfirmingTests {
    private let fern = FernProvider()
    private let world: World
    private let workspace: Workspace
    private let operations: LocalOperations
    private let time = Time()
    /// How often keys were sent when the vault was held open, and when it was let go.
    private let holds = Recorder()

    private final class Recorder: Sendable {
        let counts = Mutex<[Int]>([])
        func add(_ count: Int) { counts.withLock { $0.append(count) } }
    }

    private final class Time: Sendable {
        let now = Mutex(World.now)
    }

    init() throws {
        world = try World(.init(list: .success(World.list([]))))
        var workspace = try world.workspace()
        workspace.providers = Providers(workspace.providers.all + [fern])
        workspace.clock = Clock(now: { [time] in time.now.withLock { $0 } }, boot: { nil })
        workspace.holdOpen = { [holds, server = fern.server] in
            let count: @Sendable () -> Int = { server.contents.withLock { $0.handedIn } }
            holds.add(count())
            return { holds.add(count()) }
        }
        self.workspace = workspace
        let counter = Mutex(0)
        operations = LocalOperations(
            workspace,
            .init(
                gate: DecidingTests.OpenGate(), positions: [:], links: LinkReaders([FernLinks()]),
                makeID: {
                    counter.withLock { count in
                        count += 1
                        return "id \(count)"
                    }
                }),
            for: DecidingTests.requester)
    }

    private static let link = "fern:enroll?user=ada&secret=s3&once=1"

    private func enroll() async throws {
        let steps = try operations.enrollment(.link(GivenLink(Self.link), name: nil))
        _ = try await steps.begin()
        _ = try await steps.accept(returnURL: "")
    }

    private func lose(_ confirmations: BankError?..., proofs: [BankError?] = []) {
        fern.server.contents.withLock { ($0.confirmations, $0.proofs) = (confirmations, proofs) }
    }

    private func unconfirmed(_ cause: BankError, isReconnect: Bool = false) throws -> EnrollmentError {
        .unconfirmed(
            .init(
                cause: Failure(cause), name: try #require(ConnectionName("fern")), isReconnect: isReconnect,
                isAskedAgain: true))
    }

    private var handedIn: Int { fern.server.contents.withLock { $0.handedIn } }
    private func wait(_ seconds: Double) { time.now.withLock { $0.addTimeInterval(seconds) } }

    /// The connection at Fern; nil if none is kept.
    private func kept() throws -> Connection? {
        try world.connections.connections().first { $0.wireProtocol == FernProvider.wire }
    }

    @Test func aGoodAnswerConnects() async throws {
        try await enroll()
        let connection = try #require(try kept())
        #expect(connection.status == .active && connection.fern == FernState(user: "ada") && handedIn == 1)
    }

    /// A lock that comes while the bank is asked takes nothing away.
    @Test(arguments: [nil, BankError(.noAnswer, "cut")]) func theVaultIsHeldOpenForTheAnswer(_ error: BankError?)
        async throws
    {
        lose(error)
        try? await enroll()
        #expect(holds.counts.withLock { $0 } == [0, 1])
    }

    /// It was connected again while the bank refused the earlier keys.
    @Test func aLateRefusalErasesNoOtherKeys() async throws {
        try await enroll()
        let stale = try #require(try kept())
        let newer = try world.connections.update(stale.guid) { $0.keyID = KeyID("newer") }
        try workspace.withdraw(stale)
        #expect(try kept() == newer)
        try workspace.withdraw(newer)
        #expect(try kept() == nil)
    }

    /// The bank cannot have accepted anything, so nothing is kept.
    @Test(arguments: [
        BankError(.unreachable(), "no route"), BankError(.refused, "no", status: 400), BankError(.insecure, "http"),
        BankError(.cryptography, "no key"),
    ])
    func aRefusedEnrollmentLeavesNothing(_ error: BankError) async throws {
        lose(error)
        await #expect(throws: EnrollmentError.notProved(Failure(error))) { try await enroll() }
        #expect(try kept() == nil && world.vault.keyIDs() == [KeyID("old")])
    }

    /// The bank may have accepted the keys: they are kept, and the bank is not asked before the first call must be
    /// over.
    @Test(arguments: [
        BankError(.noAnswer, "cut"), BankError(.malformedAnswer, "HTML"), BankError(.tooLarge, "large"),
        BankError(.refused, "broken", status: 502),
    ])
    func anEnrollmentWithoutAnAnswerIsUnconfirmed(_ error: BankError) async throws {
        lose(error)
        await #expect(throws: try unconfirmed(error)) { try await enroll() }
        #expect(try kept()?.status == .unconfirmed && handedIn == 1)
        let failures = try await operations.pending(nil).failures
        #expect(failures.map(\.connection) == ["fern"] && failures[0].message.contains("asked for again"))
        wait(74)
        #expect(try await operations.pending("fern").failed == 1 && handedIn == 1)
        wait(1)
        #expect(try await operations.pending("fern").failed == 0 && handedIn == 2)
        #expect(try kept()?.status == .active)
    }

    /// The second answer shows that the first call arrived, but the first answer is lost for good.
    @Test func anAnswerThatIsLostForGoodErasesTheConnection() async throws {
        lose(BankError(.noAnswer, "cut"), BankError(.refused, "used", status: 404))
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"))) { try await enroll() }
        wait(100)
        let failures = try await operations.pending("fern").failures
        #expect(
            failures[0].message.contains("erased") && failures[0].hint == "ask for a new link, then: countersign enroll"
        )
        #expect(try kept() == nil && world.vault.keyIDs() == [KeyID("old")])
    }

    /// An outage is not an answer, however often it happens.
    @Test func outagesKeepItUnconfirmed() async throws {
        lose(BankError(.noAnswer, "cut"), BankError(.unreachable(), "down"), BankError(.refused, "down", status: 503))
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"))) { try await enroll() }
        for count in 2...3 {
            wait(100)
            #expect(try await operations.pending("fern").failed == 1 && handedIn == count)
            // Each try counts, so the next one comes no sooner.
            #expect(try await operations.pending("fern").failed == 1 && handedIn == count)
        }
        wait(100)
        #expect(try await operations.pending("fern").failed == 0)
        #expect(try kept()?.status == .active)
    }

    /// The bank has the keys. Only the proof is missing, which may be tried at any time.
    @Test func aFailedProofIsRepeatedAtOnce() async throws {
        lose(nil, proofs: [BankError(.refused, "down", status: 500), BankError(.notAccepted, "no", status: 400)])
        await #expect(throws: try unconfirmed(BankError(.refused, "down", status: 500))) { try await enroll() }
        #expect(try kept()?.fern == FernState(user: "ada") && kept()?.status == .unconfirmed)
        #expect(try await operations.pending("fern").failed == 1)
        #expect(try await operations.pending("fern").failed == 0)
        #expect(try kept()?.status == .active && handedIn == 1)
    }

    @Test func onlyOneProcessAsksForTheAnswer() async throws {
        lose(BankError(.noAnswer, "cut"))
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"))) { try await enroll() }
        wait(100)
        let stale = try #require(try kept())
        _ = try await workspace.confirmed(stale)
        await #expect { try await workspace.confirmed(stale) } throws: { ($0 as? BankError)?.kind == .unconfirmed }
        #expect(handedIn == 2)
    }

    @Test func anUnconfirmedConnectionIsRevokedOnlyHere() async throws {
        lose(BankError(.noAnswer, "cut"))
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"))) { try await enroll() }
        let revoked = try await operations.revoke("fern", localOnly: false).revoked
        #expect(!revoked.bankTold && revoked.alreadyRevoked == nil && handedIn == 1)
        #expect(try kept() == nil)
    }

    @Test func anAbandonedEnrollmentIsNeverSent() async throws {
        let steps = try operations.enrollment(.link(GivenLink(Self.link), name: nil))
        _ = try await steps.begin()
        await steps.abandon()
        await #expect(throws: EnrollmentError.outOfTurn) { try await steps.accept(returnURL: "") }
        #expect(try kept() == nil && handedIn == 0)
    }

    // MARK: Reconnecting

    private func reconnect(_ link: String?) async throws {
        let steps = try operations.enrollment(.again("fern", link: link.map { GivenLink($0) }))
        _ = try await steps.begin()
        _ = try await steps.accept(returnURL: "")
    }

    @Test func theSameAccountIsOnlyConnectedAgain() async throws {
        try await enroll()
        #expect { try operations.enrollment(.link(GivenLink(Self.link), name: nil)) } throws: {
            Failure($0).hint == "countersign reconnect fern -, with the link on standard input"
        }
        let before = try #require(try kept())
        try await reconnect("fern:enroll?user=ada&secret=s4&once=1")
        let after = try #require(try kept())
        #expect(after.guid == before.guid && after.keyID != before.keyID && handedIn == 2)
        #expect(try (world.vault.load(.shared, of: after.keyID) as? PlainSecret)?.text == "s4")
    }

    @Test(arguments: [
        BankError(.refused, "no", status: 400), BankError(.unreachable(), "down"), BankError(.insecure, "http"),
    ])
    func aRefusedReconnectKeepsTheOldSecret(_ error: BankError) async throws {
        try await enroll()
        let before = try #require(try kept())
        lose(error)
        await #expect(throws: EnrollmentError.notProved(Failure(error), isReconnect: true)) {
            try await reconnect(Self.again)
        }
        #expect(try kept() == before && world.vault.keyIDs() == [KeyID("old"), before.keyID])
    }

    // The bank may have taken the new secret, so that only one of the two is good.

    private static let again = "fern:enroll?user=ada&secret=s4&once=1"

    private func secret(_ id: KeyID) throws -> String? { try (world.vault.load(.shared, of: id) as? PlainSecret)?.text }

    /// Reconnects without an answer. Returns the connections before and after.
    private func loseReconnect(_ more: BankError?...) async throws -> (before: Connection, after: Connection) {
        try await enroll()
        let before = try #require(try kept())
        fern.server.contents.withLock { $0.confirmations = [BankError(.noAnswer, "cut")] + more }
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"), isReconnect: true)) {
            try await reconnect(Self.again)
        }
        return (before, try #require(try kept()))
    }

    @Test func aReconnectWithoutAnAnswerKeepsBothSecrets() async throws {
        let (before, after) = try await loseReconnect()
        #expect(after.status == .unconfirmed && after.replaced == [before] && after.guid == before.guid)
        #expect(try secret(before.keyID) == "s3" && secret(after.keyID) == "s4")
        // The earlier key serves meanwhile.
        #expect(try await operations.pending("fern").failed == 0 && handedIn == 2)
        #expect(try kept()?.status == .unconfirmed)
        wait(75)
        #expect(try await operations.pending("fern").failed == 0 && handedIn == 3)
        let confirmed = try #require(try kept())
        #expect(confirmed.status == .active && confirmed.replaced == [] && confirmed.keyID == after.keyID)
        #expect(try world.vault.keyIDs() == [KeyID("old"), after.keyID])
    }

    /// The new secret was taken at the first call, or never: only the old one can still be good.
    @Test func anAnswerThatIsLostForGoodGoesBackToTheOldSecret() async throws {
        let (before, _) = try await loseReconnect(BankError(.refused, "used", status: 404))
        _ = try await operations.rename("fern", to: try #require(ConnectionName("elm")))
        wait(100)
        let failures = try await operations.pending("elm").failures
        #expect(failures[0].message.contains("the earlier key is used again"))
        #expect(failures[0].hint == "ask for a new link, then: countersign reconnect elm -")
        let restored = try #require(try kept())
        #expect(restored.keyID == before.keyID && restored.status == .active && restored.name.text == "elm")
        #expect(try restored.replaced == [] && world.vault.keyIDs() == [KeyID("old"), before.keyID])
        #expect(try await operations.pending("elm").failed == 0)
    }

    /// The bank has the new secret, so an answer to something else never ends it.
    @Test func aFailedProofAfterAReconnectIsRepeated() async throws {
        try await enroll()
        lose(nil, proofs: [BankError(.notAccepted, "no", status: 400), BankError(.refused, "forbidden", status: 403)])
        await #expect(throws: try unconfirmed(BankError(.notAccepted, "no", status: 400), isReconnect: true)) {
            try await reconnect(Self.again)
        }
        #expect(try kept()?.replaced.count == 1)
        #expect(try await operations.pending("fern").failed == 1)
        #expect(try kept()?.status == .unconfirmed && kept()?.replaced.count == 1)
        #expect(try await operations.pending("fern").failed == 0)
        #expect(try kept()?.status == .active && kept()?.replaced == [] && handedIn == 2)
    }

    @Test func aRefusalAfterALostEnrollmentErasesOnlyWhatWasNotTaken() async throws {
        lose(BankError(.noAnswer, "cut"), nil, proofs: [BankError(.refused, "forbidden", status: 403)])
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"))) { try await enroll() }
        wait(100)
        #expect(try await operations.pending("fern").failed == 1)
        #expect(try kept()?.status == .unconfirmed)
    }

    @Test func eachLostReconnectKeepsWhatWasThereBefore() async throws {
        let (before, middle) = try await loseReconnect(
            BankError(.noAnswer, "cut"), BankError(.refused, "no", status: 400))
        await #expect(throws: try unconfirmed(BankError(.noAnswer, "cut"), isReconnect: true)) {
            try await reconnect(Self.again)
        }
        let last = try #require(try kept())
        #expect(last.replaced.map(\.keyID) == [before.keyID, middle.keyID])
        #expect(try world.vault.keyIDs() == [KeyID("old"), before.keyID, middle.keyID, last.keyID])
        let refused = Failure(BankError(.refused, "no", status: 400))
        await #expect(throws: EnrollmentError.notProved(refused, isReconnect: true)) {
            try await reconnect(Self.again)
        }
        #expect(try kept() == last)
        lose()
        try await reconnect(Self.again)
        #expect(try kept()?.replaced == [] && kept()?.status == .active)
        #expect(try world.vault.keyIDs().count == 2)
    }

    @Test func revokingDestroysBothSecrets() async throws {
        _ = try await loseReconnect()
        _ = try await operations.revoke("fern", localOnly: false)
        #expect(try kept() == nil && world.vault.keyIDs() == [KeyID("old")])
    }

    @Test func anotherEnrollmentDestroysNeitherSecret() async throws {
        let (before, after) = try await loseReconnect()
        let steps = try operations.enrollment(.link(GivenLink("fern:enroll?user=eve&secret=s5"), name: nil))
        _ = try await steps.begin()
        _ = try await steps.accept(returnURL: "")
        #expect(try secret(before.keyID) == "s3" && secret(after.keyID) == "s4")
    }

    @Test func whatIsReplacedIsStored() async throws {
        let (_, after) = try await loseReconnect()
        #expect(try JSONDecoder().decode(Connection.self, from: JSONEncoder().encode(after)) == after)
        #expect(try Providers([fern]).bare(after).replaced == [])
    }

    // Where the answer cannot be asked for again, the first login shows which secret counts.

    @Test func anAcceptedResponseEndsTheOldSecret() async throws {
        let (_, after) = try await loseReconnect()
        try workspace.take(Standing(.active), of: after)
        #expect(try kept()?.replaced == [] && kept()?.status == .active)
        #expect(try world.vault.keyIDs() == [KeyID("old"), after.keyID])
    }

    @Test func aWrongResponseGoesBackToTheOldSecret() async throws {
        let (before, after) = try await loseReconnect()
        try workspace.take(
            Standing(.doubtful, isResponseWrong: true) { try $0.changed(FernState.self) { $0.refused = 4 } }, of: after)
        let restored = try #require(try kept())
        #expect(restored.keyID == before.keyID && restored.status == .doubtful)
        #expect(restored.fern == FernState(user: "ada", refused: 4) && restored.replaced == [])
        #expect(try world.vault.keyIDs() == [KeyID("old"), before.keyID])
    }

    @Test func aBlockSaysNothingOfEitherSecret() async throws {
        let (before, after) = try await loseReconnect()
        try workspace.take(Standing(.blocked), of: after)
        #expect(try kept()?.status == .blocked && kept()?.replaced == [before])
    }

    @Test(
        arguments: [
            (nil, "only a new link"), ("fern:enroll?user=eve&secret=s4", "another account"),
        ] as [(String?, String)])
    func aReconnectTakesALinkForTheSameAccount(_ link: String?, _ words: String) async throws {
        try await enroll()
        #expect { try operations.enrollment(.again("fern", link: link.map { GivenLink($0) })) } throws: {
            Failure($0).message.contains(words)
        }
        #expect(handedIn == 1)
    }

    @Test func aBankThatNeedsNoLinkTakesNone() throws {
        #expect { try operations.enrollment(.again("fernbank", link: GivenLink(Self.link))) } throws: {
            Failure($0).message.contains("without a link")
        }
    }
}
