@testable import Approvals
import FoundationEssentials
import ApprovalModel
import Testing

/// Requests belong to their connection, whatever its name.
@Suite struct RenamingTests {
    private static func connection(_ guid: String, _ name: String) throws -> Connection {
        var connection = try PollScheduleTests.connection(guid)
        connection.name = try #require(ConnectionName(name))
        return connection
    }

    private static func answer(_ connection: Connection, _ ids: [String]) throws -> Inbox.Answer {
        .init(connection: connection, result: .success(World.list(try ids.map { try World.authorization($0) })))
    }

    @Test func swappedNamesKeepTheRequestsApart() throws {
        var differ = ListDiffer()
        let (a, b) = (try Self.connection("a", "fern"), try Self.connection("b", "oak"))
        _ = differ.take(try Self.answer(a, ["1", "2"]), at: World.now)
        _ = differ.take(try Self.answer(b, ["1"]), at: World.now)
        #expect(differ.keep(only: [a, b]).isEmpty)

        let (newA, newB) = (try Self.connection("a", "oak"), try Self.connection("b", "fern"))
        let events = differ.keep(only: [newA, newB])
        // Old references are given up first, so that each reference means one thing at a time.
        #expect(
            ListDifferTests.words(events) == [
                "fern:1 to oak", "fern:2 to oak", "oak:1 to fern", "now oak:1", "now oak:2", "now fern:1",
            ])
        guard case .renamed(let item) = events[3] else { throw LookupError.noAuthorization("an item") }
        #expect(item.connection.guid == a.guid)
        #expect(differ.keep(only: [newA, newB]).isEmpty)
        let gone = differ.take(try Self.answer(newA, ["2"]), at: World.now)
        guard case .removed(let left) = gone.first else { throw LookupError.noAuthorization("an item") }
        #expect(gone.count == 1 && left.reference == "oak:1" && left.connection.guid == a.guid)
    }

    /// An answer that was under way while the name changed is told under the new name.
    @Test func theWatcherKnowsTheNewNameAtOnce() async throws {
        let world = try World(.init(list: .success(World.list([try World.authorization()]))))
        let workspace = try world.workspace()
        let watcher = Watcher(workspace)
        let (told, tell) = AsyncStream.makeStream(of: [String].self)
        let polling = Task { try await watcher.run { tell.yield(ListDifferTests.words($0)) } }
        defer { polling.cancel() }
        var events = told.makeAsyncIterator()
        #expect(await events.next() == ["+77"])
        _ = try Maintaining(workspace).rename(world.connection, to: try #require(ConnectionName("oak")))
        #expect(ListDifferTests.words(try watcher.reload().events) == ["fernbank:77 to oak", "now oak:77"])
        #expect(watcher.connection(world.connection.guid)?.name.text == "oak")
        #expect(try watcher.reload().events.isEmpty)
    }
}
