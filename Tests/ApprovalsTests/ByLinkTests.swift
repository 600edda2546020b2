@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

/// Requests that come only by links, because the bank cannot be polled.
struct ByLinkTests {
    private let fern: FernProvider
    private let world: World
    private let workspace: Workspace
    private let operations: LocalOperations
    private let changed: Changed

    /// The connections for which `requestsChanged` was called.
    private final class Changed: Sendable {
        let guids = Mutex<[ConnectionGUID]>([])
    }

    init() throws {
        var fern = FernProvider()
        fern.asksBanks = false
        self.fern = fern
        world = try World(.init(list: .success(World.list([try World.authorization()]))))
        var workspace = try world.workspace()
        workspace.providers = Providers(workspace.providers.all + [fern])
        self.workspace = workspace
        let changed = Changed()
        self.changed = changed
        operations = LocalOperations(
            workspace,
            .init(
                gate: DecidingTests.OpenGate(), positions: [:], links: LinkReaders([FernLinks()]),
                makeID: { "fern-guid" }),
            for: DecidingTests.requester, requestsChanged: { guid in changed.guids.withLock { $0.append(guid) } })
    }

    private func enroll() async throws -> Connection {
        let steps = try operations.enrollment(.link(GivenLink("fern:enroll?user=ada&secret=s3"), name: nil))
        _ = try await steps.begin()
        _ = try await steps.accept(returnURL: "")
        return try workspace.connection(named: "fern")
    }

    private func ask() async throws -> String {
        try #require(try await operations.claim(GivenLink("fern:ask?id=77&user=ada"), for: "fern").action.authorization)
    }

    @Test func aBankThatCannotBePolledIsNotPolled() async throws {
        let connection = try await enroll()
        let watcher = Watcher(workspace)
        #expect(try !watcher.reload().active.contains(connection.guid))
        #expect(try watcher.reload().active.count == 1)
        #expect(watcher.contacts().map(\.connection.name.text) == ["fernbank"])
    }

    @Test func aRequestFromALinkIsToldOnce() async throws {
        let connection = try await enroll()
        let watcher = Watcher(workspace)
        _ = try watcher.reload()
        let ref = try await ask()
        #expect(changed.guids.withLock { $0 } == [connection.guid])
        guard case .added(let item)? = await watcher.look(at: connection.guid).first else {
            Issue.record("nothing was told")
            return
        }
        #expect(item.reference == ref)
        #expect(await watcher.look(at: connection.guid).isEmpty)
        let card = try await operations.card(ref, abbreviated: false, withSource: false)
        _ = try await operations.deny(
            DecisionRequest(ref: ref, fingerprint: card.fingerprint, position: nil, waits: true), pin: nil,
            from: .person,
            isGivenUp: { false })
        #expect(changed.guids.withLock { $0.count } == 2)
        guard case .removed? = await watcher.look(at: connection.guid).first else {
            Issue.record("its end was not told")
            return
        }
    }

    @Test func aRequestIsNotLoggedBeforeItIsDecided() async throws {
        _ = try await enroll()
        let before = world.log.events
        _ = try await ask()
        #expect(world.log.events == before)
    }

    @Test func theStandingOfAConnectionIsStored() async throws {
        let connection = try await enroll()
        try workspace.take(
            Standing(.blocked) { try $0.changed(FernState.self) { $0.refused = 77 } }, of: connection)
        let stored = try workspace.connection(named: "fern")
        #expect(stored.status == .blocked && stored.fern == FernState(user: "ada", refused: 77) && stored.isKnownToBank)
        let read = try JSONDecoder().decode(Connection.self, from: try JSONEncoder().encode(stored))
        #expect(read == stored)
        // A connection that was connected again meanwhile has another key, and is left alone.
        var other = stored
        other.keyID = KeyID("older")
        try workspace.take(Standing(.active), of: other)
        #expect(try workspace.connection(named: "fern").status == .blocked)
    }
}
