import Foundation
import Glibc
@testable import Ledger
import Testing

/// The thin layer over SQLite: values, transactions and statements.
struct DatabaseFileTests {
    private let home: TestHome
    private let file: DatabaseFile

    init() throws {
        home = try TestHome()
        try home.directory().make()
        #expect(FileManager.default.createFile(atPath: home.path + "/ledger.sqlite", contents: nil))
        file = try DatabaseFile(home.directory().database, .writing) { _ in false }
        try file.write { try $0.execute("CREATE TABLE kept (number INTEGER PRIMARY KEY, value)") }
    }

    @Test(arguments: [
        StoredValue.null, .integer(.min), .integer(.max), .real(-0.5), .text(""), .text("a\0b"), .text("größer 👍"),
        .bytes([] as [UInt8]), .bytes([0, 255]), .bytes([UInt8](repeating: 7, count: 100_000)),
    ])
    func aValueComesBackAsItWas(value: StoredValue) throws {
        try file.write { try $0.execute("INSERT INTO kept (value) VALUES (?)", [value]) }
        #expect(try file.read { try $0.value("SELECT value FROM kept") } == value)
    }

    @Test func aTypeThatWasNotExpectedIsNone() throws {
        try file.write { try $0.execute("INSERT INTO kept (value) VALUES (?)", [.text("text")]) }
        let row = try #require(try file.read { try $0.row("SELECT * FROM kept") })
        #expect(row.text("value") == "text" && row.integer("number") == 1)
        #expect(row.bytes("value") == nil && row.integer("value") == nil && row.text("other") == nil)
    }

    @Test func anErrorUndoesTheTransaction() throws {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try file.write {
                try $0.execute("INSERT INTO kept (value) VALUES (1)")
                throw Stop()
            }
        }
        #expect(throws: SQLiteError.self) {
            try file.write {
                try $0.execute("INSERT INTO kept VALUES (1, 1)")
                try $0.execute("INSERT INTO kept VALUES (1, 2)")
            }
        }
        #expect(try file.read { try $0.count("SELECT count(*) FROM kept") } == 0)
        try file.write { try $0.execute("INSERT INTO kept (value) VALUES (3)") }
        #expect(try file.read { try $0.rows("SELECT value FROM kept").map(\.values) } == [[.integer(3)]])
    }

    /// A log is read within its own reading.
    @Test func oneStatementRunsWithinItself() throws {
        try file.write {
            try $0.executeAll("INSERT INTO kept (value) VALUES (1); INSERT INTO kept (value) VALUES (2);")
        }
        var seen: [[Int64?]] = []
        try file.read { db in
            try db.forEach("SELECT value FROM kept") { outer in
                try db.forEach("SELECT value FROM kept") { seen.append([outer.integer("value"), $0.integer("value")]) }
            }
        }
        #expect(seen == [[1, 1], [1, 2], [2, 1], [2, 2]])
    }

    @Test func anotherWriterMakesItBusy() throws {
        let other = try DatabaseFile(home.directory().database, .writing) { $0 < 3 }
        try file.write { _ in
            do {
                _ = try other.write { _ in Issue.record("two writers") }
            } catch let error as SQLiteError {
                #expect(error.primaryCode == 5)
            }
        }
        try other.write { (_: Database) -> Void in }
    }

    @Test func whatOnlyReadsCannotWrite() throws {
        for mode in [DatabaseFile.Mode.reading, .unchanging] {
            let reader = try DatabaseFile(home.directory().database, mode) { _ in false }
            #expect(try reader.read { try $0.count("SELECT count(*) FROM kept") } == 0)
            #expect(throws: SQLiteError.self) { try reader.write { try $0.execute("DELETE FROM kept") } }
        }
    }

    @Test func nothingIsOpenedThatIsNotThere() throws {
        #expect(throws: SQLiteError.self) { try DatabaseFile(home.path + "/none", .writing) { _ in false } }
        #expect(!FileManager.default.fileExists(atPath: home.path + "/none"))
    }

    /// Each thread has its turn alone.
    @Test func manyThreadsTakeTurns() async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 { try file.write { try $0.execute("INSERT INTO kept (value) VALUES (1)") } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.read { try $0.count("SELECT count(*) FROM kept") } == 400)
    }
}
