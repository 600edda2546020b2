@testable import Records
import Basics
import Foundation
import GRDB
@testable import Ledger
import ApprovalModel
import Keys
import Testing

struct StateDatabaseTests {
    private let sample = PINRecord(
        vaultID: "2f1c9a", salt: [0, 1, 254, 255], cost: PINRecord.Cost(n: 65_536, r: 8, p: 1),
        sealedMasterKey: Array(0...99), failures: 5,
        block: PINRecord.Block(bootID: "b00t", bootTime: .max, seconds: 60))

    @Test func askingMakesNothing() throws {
        let home = try TestHome()
        let database = try home.database()
        let vault = try MemoryVault()
        #expect(try database.record() == nil)
        #expect(try SealedConnections(database, sealer: vault).connections().isEmpty)
        let log = SealedLog(database, sealer: vault)
        #expect(try log.entries().isEmpty)
        #expect(try log.unresolved(of: ConnectionGUID("one")).isEmpty)
        #expect(try log.verify() == .intact(events: 0))
        try database.destroyEverything()
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    @Test func theRecordSurvivesARestart() throws {
        let home = try TestHome()
        try home.database().update { old in
            #expect(old == nil)
            return sample
        }
        #expect(try home.database().record() == sample)
        try home.database().update { _ in nil }
        #expect(try home.database().record() == nil)
    }

    @Test func aChangeThatThrowsChangesNothing() throws {
        let home = try TestHome()
        let database = try home.database()
        try database.update { _ in sample }
        #expect(throws: MemoryVault.Refused.self) { try database.update { _ in throw MemoryVault.Refused() } }
        #expect(try database.record() == sample)
    }

    @Test func aChangeMayReadAndTakeTheLock() throws {
        let home = try TestHome()
        let database = try home.database(patience: .milliseconds(50))
        try database.update { _ in
            #expect(try database.record() == nil)
            return try database.lock.hold { sample }
        }
        #expect(try database.record() == sample)
    }

    @Test func triesOfManyAreAllCounted() async throws {
        let home = try TestHome()
        try home.database().update { _ in sample }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                let database = try home.database()
                group.addTask {
                    for _ in 0..<25 {
                        try database.update { record in
                            var record = record
                            record?.failures += 1
                            return record
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try home.database().record()?.failures == 105)
    }

    @Test func settingsOfTheFile() throws {
        let home = try TestHome()
        let database = try home.database()
        try database.update { $0 }
        func pragma(_ name: String) throws -> StoredValue? { try database.read { try $0.value("PRAGMA " + name) } }
        #expect(try pragma("journal_mode") == .text("wal"))
        #expect(try pragma("synchronous") == .integer(2))
        #expect(try pragma("secure_delete") == .integer(1))
        #expect(try pragma("user_version") == .integer(Int64(Schema.version)))
    }

    @Test func aNewerSchemaIsRefusedUntouched() throws {
        let home = try TestHome()
        try home.database().update { _ in sample }
        try home.tamper("PRAGMA user_version = \(Schema.version + 1)")
        let before = try home.files()
        for attempt in [{ _ = try home.database().record() }, { try home.database().update { $0 } }] {
            #expect(throws: StoreError.newerSchema(Schema.version + 1, known: Schema.version), performing: attempt)
        }
        #expect(try home.files()["ledger.sqlite"] == before["ledger.sqlite"])
        #expect(throws: StoreError.newerSchema(Schema.version + 1, known: Schema.version)) {
            try home.database().destroyEverything()
        }
        #expect(try home.files()["ledger.sqlite"] == before["ledger.sqlite"])
    }

    /// The schema's version is in the journal that a crash left, and not yet in the file.
    @Test func aNewerSchemaInTheJournalIsRefusedUntouched() throws {
        let home = try TestHome()
        try home.database().update { _ in sample }
        let crashed = try TestHome()
        try crashed.directory().make()
        let writer = try DatabaseQueue(path: home.directory().database)
        try writer.write { try $0.execute(sql: "PRAGMA user_version = \(Schema.version + 1)") }
        for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: home.path + "/" + name, toPath: crashed.path + "/" + name)
        }
        let before = try crashed.files()
        #expect(before["ledger.sqlite-wal"]?.isEmpty == false)
        #expect(throws: StoreError.newerSchema(Schema.version + 1, known: Schema.version)) {
            try crashed.database().record()
        }
        #expect(throws: StoreError.newerSchema(Schema.version + 1, known: Schema.version)) {
            try crashed.database().update { $0 }
        }
        for name in before.keys { #expect(try crashed.files()[name] == before[name]) }
    }

    @Test func aMakingThatWasCutShortIsMadeAnew() throws {
        let home = try TestHome()
        try home.directory().make()
        #expect(
            FileManager.default.createFile(
                atPath: home.path + "/ledger.sqlite", contents: nil, attributes: [.posixPermissions: 0o600]))
        #expect(try home.database().record() == nil)
        try home.database().update { _ in sample }
        #expect(try home.database().record() == sample)
    }

    @Test func whatIsNoDatabaseIsDamaged() throws {
        let home = try TestHome()
        try home.directory().make()
        #expect(
            FileManager.default.createFile(
                atPath: home.path + "/ledger.sqlite", contents: Data(repeating: 65, count: 4096),
                attributes: [.posixPermissions: 0o600]))
        #expect { try home.database().record() } throws: { isDamaged($0) }
    }

    @Test func anUnreadableRecordIsDamaged() throws {
        let home = try TestHome()
        try home.database().update { _ in sample }
        try home.tamper("UPDATE pin SET record = x'7b7d'")
        #expect { try home.database().record() } throws: { isDamaged($0) }
    }

    @Test func destructionLeavesNothingInTheFiles() throws {
        let home = try TestHome()
        let database = try home.database()
        let vault = try MemoryVault()
        try database.update { _ in sample }
        _ = try SealedConnections(database, sealer: vault).add(connection("one"))
        let log = SealedLog(database, sealer: vault)
        for id in 1...20 { _ = try log.send(Sample("\(id)")) }
        try home.tamper("INSERT INTO pending_note (key, content) VALUES (randomblob(32), randomblob(64))")
        var traces: [Data] = try home.fetch("SELECT content FROM event") + home.fetch("SELECT content FROM connection")
        traces += try home.fetch("SELECT mac FROM event") + home.fetch("SELECT content FROM head")
        traces += try home.fetch("SELECT content FROM pending_note") + home.fetch("SELECT key FROM pending_note")
        traces.append(Data("2f1c9a".utf8))
        for trace in traces { #expect(try home.files().values.contains { $0.range(of: trace) != nil }) }

        try database.destroyEverything()
        let files = try home.files()
        for trace in traces { #expect(!files.values.contains { $0.range(of: trace) != nil }) }
        #expect(files["ledger.sqlite-wal"]?.isEmpty == true)

        // The schema stays: a new vault begins here.
        #expect(try database.record() == nil)
        try database.update { _ in sample }
        let anew = SealedLog(database, sealer: try MemoryVault(seed: "new"))
        #expect(try anew.send(Sample()).sequence == 1)
        #expect(try anew.verify() == .intact(events: 1))
    }
}
