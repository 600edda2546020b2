@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Testing

/// Notes in the log of decisions.
struct NoteLogTests {
    private let home: TestHome
    private let vault: MemoryVault
    private let log: SealedLog

    init() throws {
        home = try TestHome()
        vault = try MemoryVault()
        log = SealedLog(try home.database(), sealer: vault)
    }

    private static let then = Date(timeIntervalSince1970: 1_800_000_000)

    private func record(_ text: String, as id: String? = nil) throws {
        try log.record(note: Array(text.utf8), id: id ?? text, at: Self.then)
    }

    private func texts() throws -> [String] {
        try log.notes().map { String(decoding: $0.content, as: UTF8.self) }
    }

    @Test func decisionsAndClaimsAreReadAsBefore() throws {
        try record("first")
        let decision = try log.send(Sample("1"))
        try record("second")
        let (decisions, claims) = (try log.entries(), try log.claims())
        try log.recordAnswer(.processing, to: decision, at: later)
        try record("third")
        #expect(try log.unresolvedConnections().count == 1)
        #expect(decisions.count == 1 && claims.isEmpty)
        #expect(try log.entries().map(\.outcome) == [.processing])
        #expect(try texts() == ["first", "second", "third"])
        #expect(try log.notes().allSatisfy { $0.at == Self.then })
        #expect(try log.verify() == .intact(events: 5))
        #expect(Set(try log.notes().map(\.hash)).count == 3)
        for content in try home.files().values { #expect(content.range(of: Data("second".utf8)) == nil) }
    }

    @Test func aNoteIsThereOnce() throws {
        try record("first", as: "1")
        try record("first", as: "1")
        try record("first", as: "2")
        #expect(try texts() == ["first", "first"])
        #expect(try log.verify() == .intact(events: 2))
    }

    /// Cut off between the event and the head's second copy: the next try finds it there.
    @Test func aNoteWhoseWriterDiedIsThereOnce() throws {
        try record("before")
        vault.losesHeads.withLock { $0 = true }
        #expect(throws: MemoryVault.Refused.self) { try record("first") }
        vault.losesHeads.withLock { $0 = false }
        try record("first")
        try record("after")
        #expect(try texts() == ["before", "first", "after"])
        #expect(try log.verify() == .intact(events: 3))
    }

    @Test(arguments: [
        "DELETE FROM event WHERE sequence = 2",
        "UPDATE event SET content = (SELECT content FROM event WHERE sequence = 1)",
        "UPDATE event SET decision = 1 WHERE sequence = 2", "UPDATE event SET attempt = NULL WHERE sequence = 2",
        "DELETE FROM event WHERE sequence = 3",
    ]) func aChangedNoteIsSeen(_ change: String) throws {
        for text in ["first", "second", "third"] { try record(text) }
        try home.tamper(change)
        guard case .broken = try SealedLog(try home.database(), sealer: vault).verify() else {
            Issue.record("not seen")
            return
        }
    }
}
