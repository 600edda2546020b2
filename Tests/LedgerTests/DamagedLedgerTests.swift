@testable import Records
import Basics
import Foundation
import Glibc
@testable import Ledger
import ApprovalModel
import Keys
import Testing

/// Every read of a damaged ledger returns what can be read, or throws an error of ours. Nothing ends the process.
struct DamagedLedgerTests {
    /// Damaged ledgers: flipped bits, other bytes, swapped, zeroed and missing pages, cut files, and rows that were
    /// damaged before. Each part runs in a process of its own, which prints the number of a ledger that ends it.
    /// COUNTERSIGN_DAMAGED_LEDGERS says how many if they are not to be 10,000.
    @Test(arguments: 0..<4)
    func nothingEndsTheProcess(part: Int) async {
        await #expect(processExitsWith: .success) { [part = part as Int] in
            let ledger = try Ledger()
            let wanted = ProcessInfo.processInfo.environment["COUNTERSIGN_DAMAGED_LEDGERS"].flatMap(Int.init) ?? 10_000
            for number in stride(from: part, to: wanted, by: 4) {
                do { try ledger.damageAndRead(number) } catch {
                    print("ledger \(number): \(error)")
                    throw error
                }
            }
        }
    }

    /// A value of another type in each column that is read, one at a time.
    @Test(arguments: ["NULL", "5", "1.5", "'text'", "x''", "x'ff'"])
    func eachColumn(_ value: String) throws {
        let ledger = try Ledger()
        for (table, columns) in Ledger.columns {
            for column in columns {
                try ledger.home.restore(ledger.files)
                try ledger.home.damage("UPDATE OR IGNORE \(table) SET \(column) = \(value)")
                try ledger.read()
            }
        }
    }

    /// A NULL in place of the PIN record is damage. It does not read like a home without a PIN.
    @Test func aMissingPINRecordIsDamage() throws {
        let ledger = try Ledger()
        try ledger.home.damage("UPDATE pin SET record = NULL")
        #expect { try ledger.home.database().record() } throws: { isDamaged($0) }
    }

    @Test func oneDamagedEventHidesNoOther() throws {
        let ledger = try Ledger()
        let all = try ledger.log().entries().count
        try ledger.home.damage("UPDATE event SET content = NULL WHERE sequence = 3")
        #expect(try ledger.log().entries().count == all - 1)
        #expect(try ledger.log().verify() == .broken("event 3: cannot be read"))
    }
}

/// A ledger with rows in each table, and its files.
private struct Ledger {
    let home: TestHome
    let files: [String: Data]
    private let vault: MemoryVault
    private let sealer: SecretTableTests.Sealer

    static let columns = [
        ("pin", ["record"]), ("connection", ["content", "ended", "key"]),
        ("event", ["content", "decision", "attempt", "waits", "mac"]), ("head", ["content"]),
        ("session", ["content", "key"]), ("pending_note", ["content", "key"]), ("departure", ["content", "key"]),
    ]

    init() throws {
        // In memory, where nothing waits for a disk.
        home = try TestHome(in: "/dev/shm")
        vault = try MemoryVault()
        sealer = try SecretTableTests.Sealer()
        let database = try home.database()
        try database.update { _ in
            PINRecord(vaultID: "vault", salt: [1], cost: .init(n: 2, r: 8, p: 1), sealedMasterKey: [1, 2, 3])
        }
        let connections = SealedConnections(database, sealer: vault)
        for name in ["ant", "bee", "cat"] { _ = try connections.add(connection(name, name)) }
        for id in 1...4 {
            let recorded = try SealedLog(database, sealer: vault).send(Sample("\(id)"))
            try SealedLog(database, sealer: vault).recordAnswer(.confirmed, to: recorded, at: later)
        }
        for table in ["session", "token", "owed", "permit", "site"] {
            let table = SecretTable<[String]>(table, in: database, sealer: sealer)
            try database.apply([table.adding(["a"], as: "a"), table.adding(["b"], as: "b")], sealedBy: sealer)
        }
        try ClearTable<[String]>("departure", in: database).set(["left"], as: "sleep")
        try SealedLog(database, sealer: vault).record(note: [1, 2], id: "note", at: later)
        database.closeConnections()
        files = try home.files()
    }

    func log() throws -> SealedLog { SealedLog(try home.database(), sealer: vault) }

    /// Makes ledger `number` out of the good one, and reads all of it.
    func damageAndRead(_ number: Int) throws {
        var random = Seeded(number)
        try home.restore(files)
        if number.isMultiple(of: 4) {
            let (table, columns) = Self.columns[random.below(Self.columns.count)]
            let value = ["NULL", "7", "2.5", "'x'", "x'00'", "zeroblob(70)"][random.below(6)]
            try home.damage("UPDATE OR IGNORE \(table) SET \(columns[random.below(columns.count)]) = \(value)")
        }
        let name = "ledger.sqlite"
        var bytes = try home.files()[name] ?? Data()
        Self.damage(&bytes, &random)
        try home.write(bytes, name)
        try read(isAccepting: number.isMultiple(of: 16))
    }

    private static func damage(_ bytes: inout Data, _ random: inout Seeded) {
        let page = 4096
        let pages = bytes.count / page
        func span(_ number: Int) -> Range<Int> { (number * page)..<((number + 1) * page) }
        switch random.below(7) {
        case 0: for _ in 0...random.below(20) { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
        case 1: for _ in 0...random.below(40) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        case 2:
            let (one, other) = (span(random.below(pages)), span(random.below(pages)))
            let kept = bytes[one]
            bytes.replaceSubrange(one, with: bytes[other])
            bytes.replaceSubrange(other, with: kept)
        case 3: bytes.replaceSubrange(span(random.below(pages)), with: Data(count: page))
        case 4: bytes.removeLast(random.below(bytes.count))
        case 5:
            // The headers of cells, where types and lengths stand.
            let start = span(random.below(pages)).lowerBound
            for _ in 0...4 { bytes[start + random.below(120)] = UInt8(random.below(256)) }
        default:
            for _ in 0...3 {
                let at = random.below(bytes.count - 64)
                bytes.replaceSubrange(at..<(at + 64), with: Data((0..<64).map { _ in UInt8(random.below(256)) }))
            }
        }
    }

    /// All that is read of a home. Errors of ours are answers.
    func read(isAccepting: Bool = true) throws {
        let database = try home.database(patience: .milliseconds(200))
        func attempt(_ body: () throws -> Void) throws {
            do { try body() } catch is StoreError {
            } catch is PINError {
            }
        }
        try attempt { _ = try database.record() }
        try attempt { _ = try database.hasLog() }
        let connections = SealedConnections(database, sealer: vault)
        try attempt { _ = (try connections.connections(), try connections.damagedRows()) }
        try attempt { _ = try SealedConnections.counts(in: database) }
        let log = SealedLog(database, sealer: vault)
        try attempt { _ = try log.entries() }
        try attempt { _ = try log.claims() }
        try attempt { _ = try log.notes() }
        try attempt { _ = try log.unresolvedConnections() }
        try attempt { _ = try log.verify() }
        for name in ["session", "token", "owed", "permit", "site", "pending_note"] {
            let table = SecretTable<[String]>(name, in: database, sealer: sealer)
            // Opens every row, as `values` does.
            try attempt { _ = try table.damagedRows() }
            try attempt { _ = try table.value("b") }
            try attempt { _ = try database.rows(of: name) }
        }
        try attempt { _ = try ClearTable<[String]>("departure", in: database).damagedRows() }
        if isAccepting { try attempt { _ = try log.accept(at: later) } }
    }
}

/// The same numbers for the same seed (SplitMix64).
private struct Seeded {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 }

    mutating func below(_ limit: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((z ^ (z >> 31)) % UInt64(max(1, limit)))
    }
}
