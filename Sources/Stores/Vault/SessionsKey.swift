import Basics
import Cryptography
import Keys
import Synchronization

/// The sessions key in locked memory. The end of the last reference wipes it.
final class SessionsKey: SecretSealer {
    private let vault: String
    private let key: any Secret
    private let records: any PINRecordStore
    let shelf: (any SealedShelf)?
    /// The keys that were derived from it, by their purpose: a few.
    private let derived = Mutex<[String: LockedBytes]>([:])

    init(_ key: any Secret, of vault: String, records: any PINRecordStore, shelf: any SealedShelf) {
        self.shelf = shelf
        self.key = key
        self.vault = vault
        self.records = records
    }

    func seal(_ plaintext: [UInt8], beside secrets: [any Secret], as name: String) throws -> [UInt8] {
        try AEAD.seal(LockedBytes(joining: plaintext, secrets), key: try subkey("rows"), name: name)
    }

    func open(_ sealed: [UInt8], as name: String) throws -> (plaintext: [UInt8], secrets: [any Secret]) {
        try AEAD.open(sealed, key: try subkey("rows"), name: name).split()
    }

    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try Digest.hmacSHA256(message, key: subkey("mac/" + purpose))
    }

    func demandCurrent() throws {
        guard let record = try records.record(), record.vaultID == vault, !record.sealedMasterKey.isEmpty else {
            throw PINError.notSet
        }
    }

    private func subkey(_ purpose: String) throws -> LockedBytes {
        try derived.withLock { derived in
            if let known = derived[purpose] { return known }
            let made = try HKDF.derive(key, salt: [], info: "countersign sessions \(purpose) 1", count: 32)
            derived[purpose] = made
            return made
        }
    }
}
