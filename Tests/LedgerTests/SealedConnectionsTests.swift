@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Keys
import Testing

struct SealedConnectionsTests {
    private let home: TestHome
    private let store: SealedConnections

    init() throws {
        home = try TestHome()
        store = SealedConnections(try home.database(), sealer: try MemoryVault())
    }

    private func reopened() throws -> SealedConnections {
        SealedConnections(try home.database(), sealer: try MemoryVault())
    }

    @Test func comeBackAsTheyWere() throws {
        let b = try store.add(connection("b", "zebra"))
        let a = try store.add(connection("a", "ant"))
        #expect(try reopened().connections() == [a, b])
        #expect(a.createdAt == somewhen && a.updatedAt == later)
    }

    @Test func namesAreMadeFree() throws {
        #expect(try store.add(connection("a")).name.text == "fernbank")
        #expect(try store.add(connection("b")).name.text == "fernbank-2")
        #expect(try reopened().add(connection("c")).name.text == "fernbank-3")
    }

    /// A destroyed vault must write no rows: the next vault could neither open nor remove them.
    @Test func aDestroyedVaultWritesNothing() throws {
        let vault = try MemoryVault()
        let store = SealedConnections(try home.database(), sealer: vault)
        let log = SealedLog(try home.database(), sealer: vault)
        let kept = try store.add(connection("a"))
        vault.isDestroyed.withLock { $0 = true }
        #expect(throws: PINError.notSet) { try store.add(connection("b")) }
        #expect(throws: PINError.notSet) { try store.update(kept.guid) { $0.status = .inactive } }
        #expect(throws: PINError.notSet) { try log.send(Sample()) }
        #expect(try reopened().connections() == [kept])
        #expect(try log.verify() == .intact(events: 0))
    }

    @Test func aChangeIsKept() throws {
        let before = try store.add(connection("a"))
        let after = try store.update(before.guid) { $0.status = .inactive }
        #expect(after.status == .inactive)
        #expect(try reopened().connections() == [after])
        #expect(throws: MemoryVault.Refused.self) { try store.update(before.guid) { _ in throw MemoryVault.Refused() } }
        #expect(try reopened().connections() == [after])
    }

    /// Also where another process changed it.
    @Test func onlyWhatChangedIsOpenedAgain() throws {
        let vault = try MemoryVault()
        let store = SealedConnections(try home.database(), sealer: vault)
        let (a, b) = (try store.add(connection("a", "ant")), try store.add(connection("b", "bee")))
        #expect(try store.connections() == [a, b])
        vault.opened.withLock { $0 = 0 }
        #expect(try store.connections() == [a, b])
        #expect(vault.opened.withLock { $0 } == 0)
        let changed = try reopened().update(b.guid) { $0.status = .inactive }
        #expect(try store.connections() == [a, changed])
        try reopened().remove(a.guid)
        #expect(try store.connections() == [changed])
        #expect(vault.opened.withLock { $0 } == 1)
        try home.tamper("UPDATE connection SET content = substr(content, 1, length(content) - 1)")
        #expect(try store.connections().isEmpty)
        #expect(try store.damagedRows() == 1)
    }

    @Test func refusals() throws {
        let a = try store.add(connection("a", "ant"))
        _ = try store.add(connection("b", "bee"))
        #expect(throws: StoreError.nameTaken("bee")) {
            try store.update(a.guid) { $0.name = try #require(ConnectionName("bee")) }
        }
        #expect(throws: StoreError.notFound("the connection is gone")) {
            try store.update(ConnectionGUID("c")) { _ in }
        }
        try store.remove(a.guid)
        try store.remove(a.guid)
        #expect(throws: StoreError.notFound("the connection is gone")) { try store.update(a.guid) { _ in } }
        #expect(try reopened().connections().map(\.name.text) == ["bee"])
    }

    @Test func severalChangesUnderOneLock() throws {
        try store.exclusively {
            let added = try store.add(connection("a"))
            try store.remove(added.guid)
        }
        #expect(try store.connections().isEmpty)
    }

    @Test(arguments: [
        ("content = (SELECT content FROM connection c WHERE c.key <> connection.key) WHERE rowid = 1", 1),
        ("content = substr(content, 1, length(content) - 1)", 2),
        ("key = zeroblob(32) WHERE rowid = 1", 1), ("content = x'' WHERE rowid = 1", 1),
        ("content = NULL WHERE rowid = 1", 1), ("key = NULL WHERE rowid = 1", 1), ("content = 5 WHERE rowid = 1", 1),
        ("content = 'text', key = 1.5 WHERE rowid = 1", 1),
    ])
    func aChangedRowIsSeenAndHidesNoOther(_ change: String, damaged: Int) throws {
        let all = [try store.add(connection("a", "ant")), try store.add(connection("b", "bee"))]
        try home.damage("UPDATE connection SET \(change)")
        for store in [store, try reopened()] {
            #expect(try store.connections() == Array(all.dropFirst(damaged)))
            #expect(try store.damagedRows() == damaged)
        }
    }

    @Test func anotherKeyOpensNothing() throws {
        _ = try store.add(connection("a"))
        let stranger = SealedConnections(try home.database(), sealer: try MemoryVault(seed: "stranger"))
        #expect(try stranger.connections().isEmpty)
        #expect(try stranger.damagedRows() == 1)
    }
}
