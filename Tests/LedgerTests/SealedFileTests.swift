import Records
import Foundation
@testable import Ledger
import Testing

struct SealedFileTests {
    @Test func aCopyTellsNothing() throws {
        let home = try TestHome()
        let vault = try MemoryVault()
        let database = try home.database()
        let words = [
            "WunderlichBank", "Pay 4711.42 EUR", "XCODEX", "fernbank", "Fern Books", "confirm|", "c2lnbmVk",
            "countersign approve", "confirmed", "expires", "saltedge",
        ]
        _ = try SealedConnections(database, sealer: vault).add(connection("GUIDGUID", bank: "WunderlichBank"))
        let log = SealedLog(database, sealer: vault)
        let recorded = try log.send(
            Sample("4242424242", connection: "GUIDGUID", code: "XCODEX", title: "Pay 4711.42 EUR"))
        try log.recordAnswer(.confirmed, to: recorded, at: later)
        let files = try home.files()
        #expect(files["ledger.sqlite-wal"]?.isEmpty == false)
        for word in words + ["GUIDGUID", "4242424242", "sca.fernbank.example"] {
            for (name, bytes) in files { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(name)") }
        }
        #expect(files.values.contains { $0.range(of: Data("CREATE TABLE connection".utf8)) != nil })
    }
}
