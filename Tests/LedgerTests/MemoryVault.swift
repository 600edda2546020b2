import Basics
import Cryptography
import Keys
import Synchronization

/// An unlocked vault for tests of the ledger, with keys in memory and the second copy of the head in a variable.
final class MemoryVault: RowSealer, LogHeadStore {
    struct Refused: Error {}

    let head = Mutex<[UInt8]?>(nil)
    /// Whether further copies of the head are lost, as in a crash.
    let losesHeads = Mutex(false)
    let isDestroyed = Mutex(false)
    let isBegun = Mutex(false)
    /// Runs when the second copy of the head is read or written.
    let whileAsked = Mutex<@Sendable () -> Void>({})
    /// How many rows were opened.
    let opened = Mutex(0)
    private let master: any Secret

    init(seed: String = "ledger tests") throws {
        var bytes = Digest.sha256(Array(seed.utf8))
        master = try LockedBytes(wiping: &bytes)
    }

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] {
        let key = try key("rows")
        return try plaintext.withUnsafeBytes { try AEAD.seal($0, key: key, name: name) }
    }

    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] {
        opened.withLock { $0 += 1 }
        return try AEAD.open(sealed, key: key("rows"), name: name).withBytes(Array.init)
    }

    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try Digest.hmacSHA256(message, key: key("mac " + purpose))
    }

    func demandCurrent() throws {
        if isDestroyed.withLock({ $0 }) { throw PINError.notSet }
    }

    func logHead() throws -> [UInt8]? {
        whileAsked.withLock { $0 }()
        return head.withLock { $0 }
    }

    func setLogHead(_ sealed: [UInt8]) throws {
        whileAsked.withLock { $0 }()
        if losesHeads.withLock({ $0 }) { throw Refused() }
        head.withLock { $0 = sealed }
    }

    func isLogBegun() throws -> Bool { isBegun.withLock { $0 } }

    func beginLog() throws { isBegun.withLock { $0 = true } }

    private func key(_ info: String) throws -> LockedBytes {
        try HKDF.derive(master, salt: [], info: info, count: 32)
    }
}
