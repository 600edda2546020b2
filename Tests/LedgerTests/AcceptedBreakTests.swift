@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Keys
import Testing

/// A broken log that the person accepted: it is verified from there on, and always says so.
struct AcceptedBreakTests {
    private let home: TestHome
    private let vault: MemoryVault
    private let when = Date(timeIntervalSince1970: 1_800_000_000)

    /// Three decisions, answered: six events.
    init() throws {
        home = try TestHome()
        vault = try MemoryVault()
        for id in 1...3 {
            let recorded = try log().send(Sample("\(id)"))
            try log().recordAnswer(.confirmed, to: recorded, at: later)
        }
    }

    private func log() throws -> SealedLog { SealedLog(try home.database(), sealer: vault) }

    @Test func aLogThatIsNotBrokenIsLeftAlone() throws {
        let before: [Data] = try home.fetch("SELECT mac FROM event")
        #expect(try log().accept(at: when) == nil)
        #expect(try home.fetch("SELECT mac FROM event") == before)
    }

    @Test(arguments: [
        "DELETE FROM event WHERE sequence = 6", "DELETE FROM event WHERE sequence = 1",
        "DELETE FROM event", "DELETE FROM event; DELETE FROM head", "DELETE FROM head",
        "UPDATE head SET content = zeroblob(68)", "UPDATE head SET content = NULL",
        "UPDATE event SET content = zeroblob(9) WHERE sequence = 3", "UPDATE event SET mac = NULL WHERE sequence = 3",
        "UPDATE event SET waits = 'x', decision = NULL WHERE sequence = 5", "SELECT 1",
    ])
    func whatIsThereIsAccepted(_ damage: String) throws {
        try home.damage(damage)
        if damage == "SELECT 1" { vault.head.withLock { $0 = nil } }
        guard case .broken(let reason) = try log().verify() else {
            Issue.record("it is not broken")
            return
        }
        let accepted = AcceptedBreak(at: when, reason: reason)
        #expect(try log().accept(at: when) == accepted)
        #expect(try log().verify().accepted == [accepted])
        // Later decisions are chained to it, and it is still told.
        let next = try log().send(Sample("9"))
        try log().recordAnswer(.denied, to: next, at: later)
        #expect(try log().verify().accepted == [accepted])
        #expect(try log().entries().last?.shown.id.text == "9")
        #expect(try log().accept(at: later) == nil)

        // A later change is found wherever it is, and may be accepted, too.
        let last: [Int] = try home.fetch("SELECT max(sequence) FROM event")
        for change in [
            "UPDATE event SET waits = 1 - waits WHERE sequence = (SELECT min(sequence) FROM event)",
            "DELETE FROM event WHERE sequence = \(last[0])",
        ] {
            let files = try home.files()
            let head = vault.head.withLock { $0 }
            try home.damage(change)
            guard case .broken = try log().verify() else {
                Issue.record("\(change) is not seen")
                return
            }
            #expect(try log().accept(at: later) != nil)
            let told = try log().verify().accepted
            #expect(told.last?.at == later, "\(told)")
            try home.restore(files)
            vault.head.withLock { $0 = head }
        }
        #expect(try log().verify().accepted == [accepted])
    }

    /// The acceptance is bound to all rows before it: it cannot be moved behind other damage.
    @Test func anAcceptanceCoversOnlyWhatWasThere() throws {
        try home.tamper("DELETE FROM event WHERE sequence = 2")
        _ = try log().accept(at: when)
        try home.tamper("DELETE FROM event WHERE sequence = 4")
        #expect(try log().verify() == .broken("event 2: missing"))
    }

    /// Somebody without the PIN may write any number: none is counted from it, and nothing traps.
    @Test(arguments: [Int64.max, Int64.max - 1, Int64.min])
    func impossibleNumbersAreNamed(_ number: Int64) throws {
        try home.tamper("UPDATE event SET sequence = \(number) WHERE sequence = 6")
        guard case .broken = try log().verify() else {
            Issue.record("it is not broken")
            return
        }
        if number > 0 {
            #expect(throws: StoreError.self) { try log().accept(at: when) }
        } else {
            #expect(try log().accept(at: when) != nil)
        }
    }

    /// A number that a lost event had is not given again.
    @Test func lostNumbersAreNotUsedAgain() throws {
        try home.tamper("DELETE FROM event WHERE sequence > 3")
        _ = try log().accept(at: when)
        let numbers: [Int] = try home.fetch("SELECT sequence FROM event ORDER BY sequence")
        #expect(numbers == [1, 2, 3, 7])
    }
}
