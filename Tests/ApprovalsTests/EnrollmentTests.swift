@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

/// Nothing is kept unless the token was proved, and an old connection stays unless the new one was proved.
struct EnrollmentTests {
    static let once = ScriptedCallback().returnURL

    func enrollment(_ world: World, _ start: Enrollment.Start) throws -> Enrollment {
        let counter = Mutex(0)
        return try Enrollment(
            start, in: try world.workspace(),
            makeID: {
                counter.withLock { count in
                    count += 1
                    return "id \(count)"
                }
            })
    }

    func enroll(
        _ world: World, _ callback: ScriptedCallback = ScriptedCallback(), notices: NoticeList = NoticeList()
    ) async throws -> Connection {
        try await drive(enrollment(world, .link(link(), name: nil)), callback, notices: notices)
    }

    func reconnect(
        _ connection: Connection, _ world: World, _ callback: ScriptedCallback = ScriptedCallback()
    ) async throws -> Connection {
        try await drive(enrollment(world, .again(connection)), callback)
    }

    /// An enrollment that waits for its redirect.
    func waiting(_ world: World) async throws -> Enrollment {
        let enrollment = try enrollment(world, .link(link(), name: nil))
        _ = try await enrollment.begin()
        _ = try await enrollment.accept(returnURL: Self.once)
        return enrollment
    }

    /// Checks that only what was there before is stored.
    func expectUntouched(_ world: World) throws {
        #expect(try world.vault.keyIDs() == [KeyID("old")])
        #expect(try world.connections.connections() == [world.connection])
    }

    func link() throws -> ConnectLink {
        ConnectLink(
            wires: [ScriptedProvider.wire], address: try WebAddress("https://bank.example/configuration"), content: ())
    }

    func waitingWorld() throws -> World {
        var world = try World(.init(proof: .success(())))
        world.page = try WebAddress("https://bank.example/login")
        return world
    }

    @Test func aTokenInTheAnswerNeedsNoPage() async throws {
        let world = try World(.init(proof: .success(())))
        let callback = ScriptedCallback()
        let connection = try await enroll(world, callback)
        #expect(connection.name.text == "fernbank-2")
        #expect(connection.id.text == "812")
        #expect(callback.contents.withLock { $0.opened.isEmpty })
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    @Test func theQuestionAboutTheHostsMakesNoKey() async throws {
        let world = try World()
        let enrollment = try enrollment(world, .link(link(), name: nil))
        #expect(try await enrollment.begin() == World.offer())
        await enrollment.abandon()
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.accept(returnURL: Self.once) }
        #expect(world.bank.script.withLock { $0.keys } == 0)
    }

    /// The bank's answer to a token that it did not issue.
    private static let forged = Failure(BankError(.connectionGone, "who"))

    @Test func forgedRedirectsDoNotEndTheWait() async throws {
        let world = try waitingWorld()
        let callback = ScriptedCallback([
            "http://127.0.0.1:4000/elsewhere?access_token=good", Self.once + "?access_token=forged",
            Self.once + "?access_token=good&id=99", Self.once + "?error_class=X&error_message=no",
            Self.once + "?access_token=good&id=812",
        ])
        let notices = NoticeList()
        let connection = try await enroll(world, callback, notices: notices)
        #expect(connection.id.text == "812")
        #expect(callback.contents.withLock { $0.answers } == [false, false, false, false, true])
        #expect(
            notices.errors == [
                .notProved(Self.forged), .foreignID, .refused(errorClass: BankText("X"), message: nil),
            ])
    }

    @Test func anEndWithoutAGoodRedirectKeepsNothing() async throws {
        let world = try waitingWorld()
        await #expect(throws: EnrollmentError.waitOver) {
            try await enroll(world)
        }
        let refused = ScriptedCallback([Self.once + "?error_class=AUTHENTICATION_FAILED"])
        await #expect(throws: EnrollmentError.refused(errorClass: BankText("AUTHENTICATION_FAILED"), message: nil)) {
            try await enroll(world, refused)
        }
        try expectUntouched(world)
    }

    @Test func aStoreThatFailsLeavesNoKey() async throws {
        let world = try World(.init(proof: .success(())))
        world.vault.contents.withLock { $0.refusesToStore = true }
        await #expect(throws: SecretServiceError(.locked, "locked")) {
            try await enroll(world)
        }
        #expect(try world.connections.connections() == [world.connection])
    }

    @Test func keysThatNoConnectionNamesAreSwept() async throws {
        let world = try World(.init(proof: .success(())))
        try world.vault.store(EnrolledSecrets().with(.token, PlainSecret("x")), as: KeyID("orphan"))
        let connection = try await enroll(world)
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    /// A keyring may take seconds to write its file, and other commands wait for the lock no longer than ten.
    @Test func keysAreStoredBeforeTheStateIsLocked() async throws {
        let world = try World(.init(proof: .success(())))
        let held = Mutex<[Bool]>([])
        world.vault.contents.withLock { contents in
            contents.whenStoring = { [connections = world.connections] in
                held.withLock { $0.append(connections.isHeld.load(ordering: .relaxed)) }
            }
        }
        _ = try await enroll(world)
        #expect(held.withLock { $0 } == [false])
    }

    @Test func keysThatAnotherEnrollmentSweptMeanwhileAreStoredAgain() async throws {
        let world = try World(.init(proof: .success(())))
        world.connections.whenBeginning.withLock { begin in
            begin = { [vault = world.vault] in
                for id in (try? vault.keyIDs()) ?? [] where id != KeyID("old") { try? vault.destroy(id) }
            }
        }
        let connection = try await enroll(world)
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    /// Another enrollment's sweep may come between two of the items.
    @Test func aPartOfTheKeysThatIsGoneIsStoredAgain() async throws {
        let world = try World(.init(proof: .success(())))
        world.connections.whenBeginning.withLock { begin in
            begin = { [vault = world.vault] in
                vault.contents.withLock { contents in
                    for id in contents.secrets.keys where id != KeyID("old") { contents.secrets[id]?["key"] = nil }
                }
            }
        }
        let connection = try await enroll(world)
        _ = try world.vault.load(.key, of: connection.keyID)
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    @Test func aVaultThatIsDestroyedMeanwhileGetsNoKey() async throws {
        let world = try World(.init(proof: .success(())))
        world.connections.whenBeginning.withLock { begin in
            begin = { [vault = world.vault] in vault.contents.withLock { $0.isDestroyed = true } }
        }
        await #expect(throws: PINError.notSet) { try await enroll(world) }
        #expect(try world.vault.keyIDs() == [KeyID("old")])
    }

    @Test func reconnectTakesANewKeyAndKeepsTheName() async throws {
        let world = try World(.init(proof: .success(())))
        let renewed = try await reconnect(world.connection, world)
        #expect(renewed.guid == world.connection.guid)
        #expect(renewed.name == world.connection.name)
        #expect(renewed.id.text == "812")
        #expect(try world.vault.keyIDs() == [renewed.keyID])
        #expect(renewed.keyID != world.connection.keyID)
    }

    @Test func anOldKeyThatCannotBeDestroyedDoesNotFailAReconnect() async throws {
        let world = try World(.init(proof: .success(())))
        world.vault.contents.withLock { $0.refusesToDestroy = true }
        let renewed = try await reconnect(world.connection, world)
        #expect(try world.connections.connections() == [renewed])
        world.vault.contents.withLock { $0.refusesToDestroy = false }
        _ = try await reconnect(renewed, world)
        #expect(try !world.vault.keyIDs().contains(KeyID("old")))
    }

    @Test func aFailedReconnectKeepsTheOldKey() async throws {
        let world = try waitingWorld()
        await #expect(throws: EnrollmentError.waitOver) {
            try await reconnect(world.connection, world)
        }
        try expectUntouched(world)
    }

    @Test func aForgedReconnectKeepsTheOldKey() async throws {
        let world = try waitingWorld()
        let forged = ScriptedCallback([Self.once + "?access_token=forged&id=812"])
        await #expect(throws: EnrollmentError.notProved(Self.forged, isReconnect: true)) {
            try await reconnect(world.connection, world, forged)
        }
        try expectUntouched(world)
    }

    @Test func aConnectionThatIsGoneTakesNoNewKey() async throws {
        let world = try World(.init(proof: .success(())))
        try world.connections.remove(world.connection.guid)
        await #expect(throws: StoreError.notFound("no such connection")) {
            try await reconnect(world.connection, world)
        }
        #expect(try world.vault.keyIDs().isEmpty)
        #expect(try world.connections.connections().isEmpty)
    }

    @Test func stepsOutOfTurnMakeNothing() async throws {
        let world = try waitingWorld()
        let enrollment = try enrollment(world, .link(link(), name: nil))
        let good = Self.once + "?access_token=good"
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.accept(returnURL: Self.once) }
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.take(good) }
        _ = try await enrollment.begin()
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.begin() }
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.take(good) }
        _ = try await enrollment.accept(returnURL: Self.once)
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.accept(returnURL: Self.once) }
        #expect(world.bank.script.withLock { $0.keys } == 1)
        try expectUntouched(world)
        #expect(try await enrollment.take(good) != nil)
    }

    @Test func aFinishedEnrollmentStoresNothingMore() async throws {
        let world = try waitingWorld()
        let enrollment = try await waiting(world)
        let good = Self.once + "?access_token=good"
        let stored = try await enrollment.take(good)
        #expect(try await enrollment.take(good) == stored)
        await enrollment.abandon()
        #expect(try await enrollment.take(good) == stored)
        #expect(try world.connections.connections().count == 2)
    }

    @Test func redirectsAtTheSameMomentStoreOneConnection() async throws {
        let world = try waitingWorld()
        let gate = ProofGate(expecting: 2)
        world.bank.proofGate.withLock { $0 = gate }
        let enrollment = try await waiting(world)
        let takes = (0..<2).map { _ in Task { try await enrollment.take(Self.once + "?access_token=good") } }
        await gate.everyoneIsThere()
        gate.open()
        let first = try await takes[0].value
        #expect(try await takes[1].value == first)
        #expect(try world.connections.connections().count == 2)
        #expect(try world.vault.keyIDs().count == 2)
    }

    @Test func anEnrollmentAbandonedDuringItsProofStoresNothing() async throws {
        let world = try waitingWorld()
        let gate = ProofGate(expecting: 1)
        world.bank.proofGate.withLock { $0 = gate }
        let enrollment = try await waiting(world)
        let take = Task { try await enrollment.take(Self.once + "?access_token=good") }
        await gate.everyoneIsThere()
        await enrollment.abandon()
        gate.open()
        await #expect(throws: EnrollmentError.outOfTurn) { try await take.value }
        try expectUntouched(world)
    }

    @Test func anEnrollmentAbandonedDuringItsUploadStoresNothing() async throws {
        let world = try World(.init(proof: .success(())))
        let gate = ProofGate(expecting: 1)
        world.bank.proofGate.withLock { $0 = gate }
        let enrollment = try enrollment(world, .link(link(), name: nil))
        _ = try await enrollment.begin()
        let accept = Task { try await enrollment.accept(returnURL: Self.once) }
        await gate.everyoneIsThere()
        await enrollment.abandon()
        gate.open()
        await #expect(throws: EnrollmentError.outOfTurn) { try await accept.value }
        try expectUntouched(world)
    }

    @Test func aFailedStoreIsNotTriedAgain() async throws {
        let world = try waitingWorld()
        let enrollment = try await waiting(world)
        let good = Self.once + "?access_token=good"
        world.vault.contents.withLock { $0.refusesToStore = true }
        await #expect(throws: SecretServiceError(.locked, "locked")) { try await enrollment.take(good) }
        world.vault.contents.withLock { $0.refusesToStore = false }
        await #expect(throws: EnrollmentError.outOfTurn) { try await enrollment.take(good) }
        try expectUntouched(world)
    }

    @Test func aHomeThatWasDestroyedMeanwhileIsNotWrittenTo() async throws {
        let world = try waitingWorld()
        let enrollment = try await waiting(world)
        try world.vault.store(
            EnrolledSecrets().with(.token, PlainSecret("x")), as: KeyID("next"))
        world.vault.contents.withLock { $0.isDestroyed = true }
        await #expect(throws: PINError.notSet) {
            try await enrollment.take(Self.once + "?access_token=good")
        }
        #expect(try world.vault.keyIDs() == [KeyID("old"), KeyID("next")])
        #expect(try world.connections.connections() == [world.connection])
    }
}
