import FoundationEssentials
import SCA
import Synchronization
import Testing

@testable import Authenticator

/// Nothing is kept unless the token was proved; nothing of an old connection is lost unless the new one is.
struct EnrollmentTests {
    static let page = CreatedConnection.Next.page
    static let once = "http://127.0.0.1:4000/once"

    func enrollment(
        _ world: World, _ callback: ScriptedCallback, confirms: Bool = true, notices: NoticeList = NoticeList()
    ) throws -> Enrollment {
        let counter = Mutex(0)
        return Enrollment(
            try world.session(), callback: callback,
            makeID: {
                counter.withLock { count in
                    count += 1
                    return "id \(count)"
                }
            }, confirmHosts: { _ in confirms }, notice: { notices.add($0) })
    }

    func link() throws -> ConnectLink {
        ConnectLink(configuration: try WebAddress("https://bank.example/configuration"), connectQuery: nil)
    }

    func waitingWorld() throws -> World {
        var world = try World(.init(proof: .success(())))
        world.next = CreatedConnection(
            id: BankID("812"), next: .page(try WebAddress("https://bank.example/login")))
        return world
    }

    @Test func aTokenInTheAnswerNeedsNoPage() async throws {
        let world = try World(.init(proof: .success(())))
        let callback = ScriptedCallback()
        let connection = try await enrollment(world, callback).enroll(link(), name: nil)
        #expect(connection.name.text == "fernbank-2")
        #expect(connection.id.text == "812")
        #expect(callback.contents.withLock { $0.opened.isEmpty })
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    @Test func noToTheHostsMakesNoKey() async throws {
        let world = try World()
        await #expect(throws: EnrollmentError(.declined)) {
            try await enrollment(world, ScriptedCallback(), confirms: false).enroll(link(), name: nil)
        }
        #expect(world.vault.contents.withLock { $0.made } == 0)
    }

    @Test func forgedRedirectsDoNotEndTheWait() async throws {
        let world = try waitingWorld()
        let callback = ScriptedCallback([
            "http://127.0.0.1:4000/elsewhere?access_token=good", Self.once + "?access_token=forged",
            Self.once + "?access_token=good&id=99", Self.once + "?error_class=X&error_message=no",
            Self.once + "?access_token=good&id=812",
        ])
        let notices = NoticeList()
        let connection = try await enrollment(world, callback, notices: notices).enroll(link(), name: nil)
        #expect(connection.id.text == "812")
        #expect(callback.contents.withLock { $0.answers } == [false, false, false, false, true])
        #expect(notices.codes == [.notProved, .foreignID, .refused])
    }

    @Test func anEndWithoutAGoodRedirectKeepsNothing() async throws {
        let world = try waitingWorld()
        await #expect(throws: EnrollmentError(.waitOver)) {
            try await enrollment(world, ScriptedCallback()).enroll(link(), name: nil)
        }
        let refused = ScriptedCallback([Self.once + "?error_class=AUTHENTICATION_FAILED"])
        await #expect(throws: EnrollmentError(.refused)) {
            try await enrollment(world, refused).enroll(link(), name: nil)
        }
        #expect(try world.vault.keyIDs() == [KeyID("old")])
        #expect(try world.connections.connections() == [world.connection])
    }

    @Test func aStoreThatFailsLeavesNoKey() async throws {
        let world = try World(.init(proof: .success(())))
        world.vault.contents.withLock { $0.refusesToStore = true }
        await #expect(throws: SecretServiceError(.locked, "")) {
            try await enrollment(world, ScriptedCallback()).enroll(link(), name: nil)
        }
        #expect(try world.connections.connections() == [world.connection])
    }

    @Test func keysThatNoConnectionNamesAreSwept() async throws {
        let world = try World(.init(proof: .success(())))
        try world.vault.store(NamedKey("orphan"), token: PlainSecret("x"), as: KeyID("orphan"))
        let connection = try await enrollment(world, ScriptedCallback()).enroll(link(), name: nil)
        #expect(try world.vault.keyIDs() == [KeyID("old"), connection.keyID])
    }

    @Test func reconnectTakesANewKeyAndKeepsTheName() async throws {
        let world = try World(.init(proof: .success(())))
        let renewed = try await enrollment(world, ScriptedCallback()).reconnect(world.connection)
        #expect(renewed.guid == world.connection.guid)
        #expect(renewed.name == world.connection.name)
        #expect(renewed.id.text == "812")
        #expect(try world.vault.keyIDs() == [renewed.keyID])
        #expect(renewed.keyID != world.connection.keyID)
    }

    @Test func anOldKeyThatCannotBeDestroyedDoesNotFailAReconnect() async throws {
        let world = try World(.init(proof: .success(())))
        world.vault.contents.withLock { $0.refusesToDestroy = true }
        let renewed = try await enrollment(world, ScriptedCallback()).reconnect(world.connection)
        #expect(try world.connections.connections() == [renewed])
        world.vault.contents.withLock { $0.refusesToDestroy = false }
        _ = try await enrollment(world, ScriptedCallback()).reconnect(renewed)
        #expect(try !world.vault.keyIDs().contains(KeyID("old")))
    }

    @Test func aFailedReconnectKeepsTheOldKey() async throws {
        let world = try waitingWorld()
        await #expect(throws: EnrollmentError(.waitOver)) {
            try await enrollment(world, ScriptedCallback()).reconnect(world.connection)
        }
        #expect(try world.vault.keyIDs() == [KeyID("old")])
        #expect(try world.connections.connections() == [world.connection])
    }
}

final class NoticeList: Sendable {
    private let list = Mutex<[EnrollmentError.Code]>([])
    var codes: [EnrollmentError.Code] { list.withLock { $0 } }
    func add(_ error: EnrollmentError) { list.withLock { $0.append(error.code) } }
}
