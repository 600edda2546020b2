import Basics
import Keys
import Testing
@testable import Vault

struct PINBudgetTests {
    private func record(failures: Int, block: PINRecord.Block? = nil) -> PINRecord {
        PINRecord(
            vaultID: "v", salt: [], cost: TestVault.cheap, sealedMasterKey: [], failures: failures, block: block)
    }

    @Test(arguments: zip(0...8, [nil, nil, nil, nil, 60, 300, 900, 3600, nil] as [Int64?]))
    func failureBringsItsBlock(_ failures: Int, _ seconds: Int64?) {
        let counted = PINBudget.counting(record(failures: failures), at: BootTime(bootID: "a", seconds: 77))
        #expect(counted.failures == failures + 1)
        #expect(counted.block == seconds.map { .init(bootID: "a", bootTime: 77, seconds: $0) })
        #expect(PINBudget.triesLeft(counted) == 8 - failures)
    }

    /// A boot, its seconds, and what remains of a block of 300 s that began at second 1000 of boot `a`.
    @Test(
        arguments: [
            ("a", 1000, 300), ("a", 1299, 1), ("a", 1300, nil), ("a", 999, 300), ("a", Int64.max, nil), ("b", 0, 300),
            ("b", 299, 1), ("b", 300, nil), ("b", 5000, nil), ("b", -5, 300),
        ] as [(String, Int64, Int?)])
    func blockRunsByBootTime(_ boot: String, _ seconds: Int64, _ left: Int?) {
        let blocked = record(failures: 6, block: .init(bootID: "a", bootTime: 1000, seconds: 300))
        #expect(PINBudget.blockedFor(blocked, at: BootTime(bootID: boot, seconds: seconds)) == left)
    }

    @Test func foreignNumbersDoNotCrash() {
        for start in [Int64.min, -1, .max] {
            let blocked = record(failures: .max, block: .init(bootID: "a", bootTime: start, seconds: .max))
            _ = PINBudget.blockedFor(blocked, at: BootTime(bootID: "a", seconds: .max))
            #expect(PINBudget.triesLeft(blocked) == 0)
        }
        #expect(PINBudget.triesLeft(record(failures: .min)) == 9)
    }

    @Test(arguments: zip(0...9, [true, true, true, true, true, false, false, false, false, false]))
    func fileIsForFiveTries(_ failures: Int, _ isAdmitted: Bool) {
        let now = BootTime(bootID: "a", seconds: 0)
        if isAdmitted {
            #expect(throws: Never.self) { try PINBudget.admit(record(failures: failures), from: .file, at: now) }
        } else {
            #expect(throws: PINError.needsPerson) {
                try PINBudget.admit(record(failures: failures), from: .file, at: now)
            }
        }
        #expect(throws: Never.self) { try PINBudget.admit(record(failures: failures), from: .person, at: now) }
    }

    @Test func shiftedClockCountsAsBlocked() {
        #expect(throws: PINError.clockShifted) { try PINBudget.admit(record(failures: 0), from: .person, at: nil) }
    }
}
