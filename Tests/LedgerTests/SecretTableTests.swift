import Basics
import FoundationEssentials
import Glibc
import Cryptography
import Keys
import Synchronization
import Testing

@testable import Ledger

/// Sealed rows with secrets in them, and locks by name.
struct SecretTableTests {
    struct Value: Codable, Sendable {
        var name: String
        var first: SecretSlot
        var others: [SecretSlot]
    }

    /// Seals under a key in memory.
    final class Sealer: SecretSealer {
        private let key: LockedBytes
        let opened = Atomic(0)
        init() throws { key = try LockedBytes.random(32) }
        func seal(_ plaintext: [UInt8], beside secrets: [any Secret], as name: String) throws -> [UInt8] {
            try AEAD.seal(LockedBytes(joining: plaintext, secrets), key: key, name: name)
        }
        func open(_ sealed: [UInt8], as name: String) throws -> (plaintext: [UInt8], secrets: [any Secret]) {
            opened.add(1, ordering: .relaxed)
            return try AEAD.open(sealed, key: key, name: name).split()
        }
        func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
            try Digest.hmacSHA256(message + Array(purpose.utf8), key: key)
        }
        func demandCurrent() throws {}
    }

    private func slot(_ text: String) throws -> SecretSlot {
        var bytes = Array(text.utf8)
        return SecretSlot(try LockedBytes(wiping: &bytes))
    }

    private func text(_ slot: SecretSlot) -> String { slot.secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    @Test func valuesComeBackWithTheirSecrets() throws {
        let home = try TestHome()
        let database = try home.database()
        let sealer = try Sealer()
        let table = SecretTable<Value>("session", in: database, sealer: sealer)
        #expect(try table.values().isEmpty && table.value("a") == nil)
        let long = String(repeating: "x", count: 70000)
        let value = Value(name: "fern", first: try slot("refresh-me"), others: [try slot(""), try slot(long)])
        try database.apply([try table.adding(value, as: "a")], sealedBy: sealer)
        let back = try #require(try table.value("a"))
        #expect(back.name == "fern" && text(back.first) == "refresh-me")
        #expect(back.others.map(text) == ["", long])
        for content in try home.files().values {
            #expect(content.range(of: Data("refresh-me".utf8)) == nil && content.range(of: Data("fern".utf8)) == nil)
        }
    }

    /// All changes of one call, or none.
    @Test func changesAreOneTransaction() throws {
        let home = try TestHome()
        let database = try home.database()
        let sealer = try Sealer()
        let table = SecretTable<Value>("session", in: database, sealer: sealer)
        let value = Value(name: "fern", first: try slot("a"), others: [])
        #expect(throws: StoreError.notFound("this is gone meanwhile")) {
            try database.apply(
                [try table.adding(value, as: "a"), try table.replacing(value, as: "gone")], sealedBy: sealer)
        }
        #expect(try table.values().isEmpty)
    }

    @Test func aRowThatWasMovedOrChangedIsDamaged() throws {
        let home = try TestHome()
        let database = try home.database()
        let sealer = try Sealer()
        let (sessions, tokens) = (
            SecretTable<Value>("session", in: database, sealer: sealer),
            SecretTable<Value>("token", in: database, sealer: sealer)
        )
        let value = Value(name: "fern", first: try slot("a"), others: [])
        try database.apply([try sessions.adding(value, as: "a")], sealedBy: sealer)
        try home.tamper("INSERT INTO token SELECT * FROM session")
        #expect(try tokens.values().isEmpty)
        #expect(try tokens.damagedRows() == 1)
        try home.tamper("UPDATE session SET content = zeroblob(length(content))")
        #expect(try sessions.values().isEmpty)
        #expect(try sessions.damagedRows() == 1)
        #expect(throws: StoreError.damaged("a session's row was changed")) { try sessions.value("a") }
    }

    /// Two tables of one database, as an agent and a command have them: what one changes, the other opens anew.
    @Test(arguments: [(true, 2), (false, 5)])
    func onlyWhatChangedIsOpenedAgain(keepsOpened: Bool, count: Int) throws {
        let home = try TestHome()
        let database = try home.database()
        let sealer = try Sealer()
        let table = SecretTable<Value>("session", in: database, sealer: sealer, keepsOpened: keepsOpened)
        let writer = SecretTable<Value>("session", in: database, sealer: sealer)
        var value = Value(name: "fern", first: try slot("a"), others: [])
        try database.apply([try writer.adding(value, as: "a")], sealedBy: sealer)
        for _ in 1...4 { #expect(try table.values().map(\.name) == ["fern"]) }
        value.name = "oak"
        try database.apply([try writer.replacing(value, as: "a")], sealedBy: sealer)
        #expect(try table.values().map(\.name) == ["oak"])
        #expect(sealer.opened.load(ordering: .relaxed) == count)
        try database.apply([try writer.removing("a")], sealedBy: sealer)
        #expect(try table.values().isEmpty)
    }

    /// The same for one row; what this table wrote itself is known, and what it did not write is not believed.
    @Test(arguments: [(true, 3), (false, 7)])
    func oneRowIsOpenedAgainWhenItChanged(keepsOpened: Bool, count: Int) throws {
        let home = try TestHome()
        let database = try home.database()
        let sealer = try Sealer()
        let table = SecretTable<Value>("token", in: database, sealer: sealer, keepsOpened: keepsOpened)
        let writer = SecretTable<Value>("token", in: database, sealer: sealer)
        var value = Value(name: "fern", first: try slot("a"), others: [])
        try database.apply([try writer.adding(value, as: "a")], sealedBy: sealer)
        for _ in 1...3 { #expect(try table.value("a")?.name == "fern") }
        value.name = "oak"
        try database.apply([try writer.replacing(value, as: "a")], sealedBy: sealer)
        #expect(try table.value("a")?.name == "oak")
        value.name = "elm"
        _ = try table.replacing(value, as: "a")
        #expect(try table.value("a")?.name == "oak")
        try database.apply([try table.replacing(value, as: "a")], sealedBy: sealer)
        #expect(try table.value("a")?.name == "elm" && table.values().map(\.name) == ["elm"])
        #expect(sealer.opened.load(ordering: .relaxed) == count)
        try database.apply([try table.removing("a")], sealedBy: sealer)
        #expect(try table.value("a") == nil)
    }

    /// A change by another process is seen, and one after the connections were opened anew.
    @Test func whatAnotherConnectionChangedIsRead() throws {
        let home = try TestHome()
        let (database, other) = (try home.database(), try home.database())
        let sealer = try Sealer()
        let table = SecretTable<Value>("session", in: database, sealer: sealer, keepsOpened: true)
        let writer = SecretTable<Value>("session", in: other, sealer: sealer)
        var value = Value(name: "fern", first: try slot("a"), others: [])
        try other.apply([try writer.adding(value, as: "a")], sealedBy: sealer)
        for name in ["oak", "elm", "ash", "yew"] {
            value.name = name
            try other.apply([try writer.replacing(value, as: "a")], sealedBy: sealer)
            // The numbers of a new connection are those of the one before it.
            if name == "elm" { database.closeConnections() }
            for _ in 1...2 {
                #expect(try table.values().map(\.name) == [name])
                #expect(try table.value("a")?.name == name)
            }
        }
        try other.apply([try writer.removing("a")], sealedBy: sealer)
        #expect(try table.value("a") == nil && table.values().isEmpty)
    }

    @Test func aNamedLockHasOneHolder() throws {
        let home = try TestHome()
        let directory = try home.directory()
        let lock = try NamedLock("renew-1", in: directory)
        let held = #expect(throws: NamedLock.AlreadyLocked.self) { try NamedLock("renew-1", in: directory) }
        #expect(held?.by == getpid())
        _ = try NamedLock("renew-2", in: directory)
        NamedLock.remove("renew-1", in: directory)
        lock.end()
        let next = try NamedLock("renew-1", in: directory)
        next.end()
        _ = try NamedLock("renew-1", in: directory)
    }
}
