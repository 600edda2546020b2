@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Keys
import Testing

struct LogTamperTests {
    private let home: TestHome
    private let vault: MemoryVault

    /// Three decisions, answered: six events.
    init() throws {
        home = try TestHome()
        vault = try MemoryVault()
        for id in 1...3 {
            let recorded = try log().send(Sample("\(id)"))
            try log().recordAnswer(.confirmed, to: recorded, at: later)
        }
    }

    private func log() throws -> SealedLog {
        SealedLog(try home.database(), sealer: vault)
    }

    @Test func untouchedItIsIntact() throws {
        #expect(try log().verify() == .intact(events: 6))
    }

    private static let changed = "changed, moved, or not of this log"

    @Test(arguments: [
        (
            "UPDATE event SET content = zeroblob(length(content)) WHERE sequence = 3",
            "event 3: \(changed)"
        ),
        ("UPDATE event SET mac = zeroblob(32) WHERE sequence = 2", "event 2: \(changed)"),
        ("UPDATE event SET waits = 0 WHERE sequence = 1", "event 1: \(changed)"),
        ("UPDATE event SET decision = 1 WHERE sequence = 4", "event 4: \(changed)"),
        ("UPDATE event SET attempt = zeroblob(32) WHERE sequence = 5", "event 5: \(changed)"),
        ("UPDATE event SET attempt = NULL WHERE sequence = 1", "event 1: \(changed)"),
        ("DELETE FROM event WHERE sequence = 1", "event 1: missing"),
        ("DELETE FROM event WHERE sequence IN (3, 4)", "events 3 to 4: missing"),
        (
            "DELETE FROM event WHERE sequence = 3; UPDATE event SET sequence = sequence - 1 WHERE sequence > 3",
            "event 3: \(changed)"
        ),
        (
            "UPDATE event SET sequence = 99 WHERE sequence = 2; UPDATE event SET sequence = 2 WHERE sequence = 4; UPDATE event SET sequence = 4 WHERE sequence = 99",
            "event 2: \(changed)"
        ),
        ("DELETE FROM event WHERE sequence > 5", "event 6: missing"),
        ("DELETE FROM event WHERE sequence > 3", "events 4 to 6: missing"),
        (
            "INSERT INTO event SELECT 7, decision, NULL, waits, content, mac FROM event WHERE sequence = 6",
            "event 7: \(changed)"
        ),
        ("DELETE FROM event", "events 1 to 6: missing"),
        ("DELETE FROM event; DELETE FROM head", "event 1: the whole log is gone; it had 6 events"),
        ("DELETE FROM head", "the log's head is missing"),
        ("UPDATE head SET content = zeroblob(68)", "the log's head was changed"),
    ])
    func tamperingIsSeenAndNamed(sql: String, verdict: String) throws {
        try home.tamper(sql)
        #expect(try log().verify() == .broken(verdict))
    }

    /// Events and head of an earlier day are restored.
    @Test func anOlderCopyIsSeen() throws {
        let old = try home.files()
        _ = try log().send(Sample("4"))
        for name in ["ledger.sqlite-wal", "ledger.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: home.path + "/" + name)
        }
        try #require(old["ledger.sqlite"]).write(to: URL(fileURLWithPath: home.path + "/ledger.sqlite"))
        #expect(try log().verify() == .broken("event 7: missing"))
        // A later event does not hide it.
        _ = try log().send(Sample("5"))
        _ = try log().send(Sample("6"))
        #expect(try log().verify() == .broken("event 7: the keyring's copy of the end does not lie on the chain"))
    }

    @Test func theWholeFileGoneIsSeen() throws {
        for name in try home.files().keys { try FileManager.default.removeItem(atPath: home.path + "/" + name) }
        #expect(try log().verify() == .broken("event 1: the whole log is gone; it had 6 events"))
        _ = try log().send(Sample("7"))
        #expect(try log().verify() == .broken("events 2 to 6: missing"))
    }

    /// Rows, head and second copy are all erased. That the log was begun is still sealed with the master key.
    @Test func anErasedLogIsSeen() throws {
        try home.tamper("DELETE FROM event; DELETE FROM head")
        vault.head.withLock { $0 = nil }
        let gone = LogVerdict.broken("event 1: the whole log is gone, with both copies of its end")
        #expect(try log().verify() == gone)
        for name in try home.files().keys { try FileManager.default.removeItem(atPath: home.path + "/" + name) }
        #expect(try log().verify() == gone)
        // A later event does not hide it.
        _ = try log().send(Sample("7"))
        #expect(try log().verify() == .broken("the keyring's copy of the end is missing"))
        _ = try log().send(Sample("8"))
        #expect(try log().verify() == .broken("the keyring's copy of the end is missing"))
    }

    /// A log that an earlier release began: it is intact as it is, and the next event seals that it was begun.
    @Test func anOlderReleasesLogIsUpgradedByItsNextEvent() throws {
        vault.isBegun.withLock { $0 = false }
        #expect(try log().verify() == .intact(events: 6))
        #expect(try log().entries().count == 3)
        #expect(!vault.isBegun.withLock { $0 })
        _ = try log().send(Sample("4"))
        #expect(vault.isBegun.withLock { $0 })
        #expect(try log().verify() == .intact(events: 7))
        try home.tamper("DELETE FROM event; DELETE FROM head")
        vault.head.withLock { $0 = nil }
        #expect(try log().verify() == .broken("event 1: the whole log is gone, with both copies of its end"))
    }

    @Test func theHeadsSecondCopyGoneOrChangedIsSeen() throws {
        let copy = vault.head.withLock { $0 }
        vault.head.withLock { $0 = nil }
        #expect(try log().verify() == .broken("the keyring's copy of the end is missing"))
        vault.head.withLock { $0 = copy?.reversed() }
        #expect(try log().verify() == .broken("the keyring's copy of the end was changed"))
        // The database's copy is sealed under a name of its own and cannot replace the second copy.
        let first: [Data] = try home.fetch("SELECT content FROM head")
        vault.head.withLock { $0 = first.first.map(Array.init) }
        #expect(try log().verify() == .broken("the keyring's copy of the end was changed"))
        _ = try log().send(Sample("4"))
        #expect(try log().verify() == .broken("the keyring's copy of the end was changed"))
        vault.head.withLock { $0 = copy }
        #expect(try log().verify() == .intact(events: 7))
    }

    @Test func aCrashBeforeTheSecondCopyIsMended() throws {
        vault.losesHeads.withLock { $0 = true }
        #expect(throws: MemoryVault.Refused.self) { try log().send(Sample("4")) }
        #expect(try log().verify() == .intact(events: 7))
        // Before the copy would be two events behind, nothing more is written.
        #expect(throws: MemoryVault.Refused.self) { try log().send(Sample("5")) }
        #expect(try log().verify() == .intact(events: 7))
        // It was recorded, so it counts.
        #expect(throws: StoreError.alreadyDecided) { try log().send(Sample("4")) }
        vault.losesHeads.withLock { $0 = false }
        _ = try log().send(Sample("5"))
        #expect(try log().verify() == .intact(events: 8))
        _ = try log().send(Sample("6"))
        #expect(try log().verify() == .intact(events: 9))
    }

    @Test func twoEventsBehindAreTooMany() throws {
        let copy = vault.head.withLock { $0 }
        _ = try log().send(Sample("4"))
        _ = try log().send(Sample("5"))
        vault.head.withLock { $0 = copy }
        let broken = LogVerdict.broken("event 6: the keyring's copy of the end does not lie on the chain")
        #expect(try log().verify() == broken)
        _ = try log().send(Sample("6"))
        #expect(try log().verify() == broken)
    }

    @Test func oneBadEventHidesNoOther() throws {
        try home.tamper("UPDATE event SET content = zeroblob(99) WHERE sequence = 3")
        #expect(try log().entries().map(\.sequence) == [1, 5])
        #expect { try log().send(Sample("2")) } throws: { isDamaged($0) }
    }

    @Test func whoHasNoSecondPlaceYetBeginsThere() throws {
        let home = try TestHome()
        let fresh = try MemoryVault()
        fresh.losesHeads.withLock { $0 = true }
        let log = SealedLog(try home.database(), sealer: fresh)
        #expect(throws: MemoryVault.Refused.self) { try log.send(Sample()) }
        #expect(try log.verify() == .intact(events: 0))
        #expect(try log.entries().isEmpty)
    }
}
