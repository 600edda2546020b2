import Basics
import SCACrypto
import Synchronization

/// An open vault: the master key in locked memory, and what it seals. Ends with its last reference, which wipes the
/// key.
final class UnlockedVault: KeyStore, RowSealer, LogHeadStore {
    private let vault: String
    private let masterKey: any Secret
    /// What the master key is sealed under, for as long as the PIN is not changed.
    private let sealingKey: any Secret
    private let service: SecretService
    private let records: any PINRecordStore
    /// Once true it stays true.
    private let knowsLogBegun = Mutex(false)
    /// Sealed keys and tokens that `readAhead` brought; each serves once.
    private let ahead = Mutex<[ItemName.Kind: [String: LockedBytes]]>([:])

    init(
        vault: String, masterKey: any Secret, sealingKey: any Secret, service: SecretService,
        records: any PINRecordStore
    ) {
        self.vault = vault
        self.masterKey = masterKey
        self.sealingKey = sealingKey
        self.service = service
        self.records = records
    }

    // MARK: Secrets of connections

    func makeKey(bits: Int) throws -> any PrivateKey { try RSAPrivateKey.generate(bits: bits) }

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        let key = try secrets.ownKey.map { key in
            guard let key = key as? RSAPrivateKey else {
                throw SecretServiceError(.refused, "only a key that a vault made can be stored")
            }
            return try key.pkcs8()
        }
        try demandCurrent()
        let itemKey = try subkey("items")
        // All are sealed before anything is stored; what a crash leaves between them is listed by `keyIDs`.
        let plain: [(ItemName.Kind, (any Secret)?)] = [
            (.key, key), (.token, secrets.accessToken), (.sharedSecret, secrets.shared),
        ]
        let sealed = try plain.compactMap { kind, secret in
            try secret.map { (name(kind, id), try AEAD.seal($0, key: itemKey, name: name(kind, id).sealedAs)) }
        }
        do {
            for (name, item) in sealed { try service.store(item, as: name) }
        } catch {
            try? destroy(id)
            throw error
        }
    }

    func key(_ id: KeyID) throws -> any PrivateKey { try RSAPrivateKey(pkcs8: open(name(.key, id))) }

    func token(_ id: KeyID) throws -> any Secret { try open(name(.token, id)) }

    func sharedSecret(_ id: KeyID) throws -> any Secret { try open(name(.sharedSecret, id)) }

    func readAhead() {
        for kind in Self.kinds {
            guard let sealed = try? service.loadAll(kind, of: vault) else { return }
            ahead.withLock { $0[kind] = sealed }
        }
    }

    func destroyToken(_ id: KeyID) throws { try delete(.token, id) }

    func destroy(_ id: KeyID) throws {
        for kind in Self.kinds { try delete(kind, id) }
    }

    /// What a connection may have.
    private static let kinds = [ItemName.Kind.key, .token, .sharedSecret]

    private func delete(_ kind: ItemName.Kind, _ id: KeyID) throws {
        ahead.withLock { $0[kind]?[id.text] = nil }
        try service.delete(name(kind, id))
    }

    func keyIDs() throws -> Set<KeyID> {
        let ids = try Self.kinds.map { try service.ids(of: $0, in: vault) }
        return Set(ids.joined().map { KeyID($0) })
    }

    // MARK: Rows

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] {
        let key = try subkey("rows")
        return try plaintext.withUnsafeBytes { try AEAD.seal($0, key: key, name: name) }
    }

    func open(_ sealed: [UInt8], as name: String) throws -> [UInt8] {
        try AEAD.open(sealed, key: subkey("rows"), name: name).withBytes { Array($0) }
    }

    func authenticate(_ message: [UInt8], for purpose: String) throws -> [UInt8] {
        try Digest.hmacSHA256(message, key: subkey("mac/" + purpose))
    }

    /// A vault whose destruction was cut short has an empty sealed master key.
    func demandCurrent() throws {
        guard let record = try records.record(), record.vaultID == vault, !record.sealedMasterKey.isEmpty else {
            throw PINError(.notSet)
        }
    }

    // MARK: The log's head

    func logHead() throws -> [UInt8]? {
        try service.load(.logHead(of: vault))?.withBytes { Array($0) }
    }

    func setLogHead(_ sealed: [UInt8]) throws { try service.store(sealed, as: .logHead(of: vault)) }

    func isLogBegun() throws -> Bool {
        if knowsLogBegun.withLock({ $0 }) { return true }
        guard let record = try records.record(), record.vaultID == vault else { throw PINError(.notSet) }
        let isBegun = try content(of: record).isLogBegun
        if isBegun { knowsLogBegun.withLock { $0 = true } }
        return isBegun
    }

    func beginLog() throws {
        try records.update { existing in
            guard var record = existing, record.vaultID == vault else { throw PINError(.notSet) }
            var content = try content(of: record)
            content.isLogBegun = true
            record.sealedMasterKey = try content.sealed(with: sealingKey, of: vault)
            return record
        }
        knowsLogBegun.withLock { $0 = true }
    }

    private func content(of record: PINRecord) throws -> MasterKey {
        guard !record.sealedMasterKey.isEmpty else { throw PINError(.notSet) }
        do {
            return try MasterKey(opening: record.sealedMasterKey, with: sealingKey, of: vault)
        } catch let error as CryptoError where error.code == .authenticationFailed {
            throw PINError(.changed)
        }
    }

    // MARK: -

    private func name(_ kind: ItemName.Kind, _ id: KeyID) -> ItemName {
        ItemName(vault: vault, kind: kind, id: id.text)
    }

    private func open(_ name: ItemName) throws -> LockedBytes {
        guard let item = try takeAhead(name) ?? service.load(name) else {
            throw SecretServiceError(
                .itemMissing, "the keyring has no \(name.kind.rawValue) for this connection: reconnect it")
        }
        do {
            return try AEAD.open(item.withBytes { Array($0) }, key: subkey("items"), name: name.sealedAs)
        } catch let error as CryptoError where error.code == .authenticationFailed {
            throw SecretServiceError(
                .damaged, "the keyring's \(name.kind.rawValue) for this connection was changed: reconnect it")
        }
    }

    private func takeAhead(_ name: ItemName) -> LockedBytes? {
        ahead.withLock { $0[name.kind]?.removeValue(forKey: name.id) }
    }

    /// One key for each purpose, so that no sealed thing can stand in for another kind.
    private func subkey(_ purpose: String) throws -> LockedBytes {
        try HKDF.derive(masterKey, salt: [], info: "countersign \(purpose) 1", count: 32)
    }
}
