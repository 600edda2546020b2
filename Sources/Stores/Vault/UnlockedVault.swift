import Basics
import Cryptography
import Keys
import Synchronization

/// An open vault: the master key in locked memory, with the keys derived from it. The end of the last reference wipes
/// the key.
final class UnlockedVault: KeyStore, RowSealer, LogHeadStore, SessionsKeyStore {
    private let vault: String
    private let masterKey: any Secret
    /// The key under which the PIN record seals the master key, until the PIN is changed.
    private let sealingKey: any Secret
    private let service: SecretService
    private let records: any PINRecordStore
    /// Whether a log is known to be begun. Once true it stays true.
    private let knowsLogBegun = Mutex(false)
    /// Sealed secrets that `readAhead` fetched. Each is used once.
    private let ahead = Mutex<[ItemName: LockedBytes]>([:])

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

    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws {
        let plain = try secrets.bytes()
        try demandCurrent()
        let itemKey = try subkey("items")
        // All are sealed before any is stored. If a crash stores only some of them, `keyIDs` lists their id.
        let sealed = try plain.map { text, secret in
            let name = try name(text, id)
            var sealed = try AEAD.seal(secret, key: itemKey, name: name.sealedAs)
            return (name, try LockedBytes(wiping: &sealed))
        }
        do {
            try service.storeLasting(sealed)
        } catch {
            try? destroy(id)
            throw error
        }
    }

    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value {
        try name.kind.open(open(self.name(name.text, id)))
    }

    func readAhead() {
        var found: [ItemName: LockedBytes] = [:]
        // By kind, so that the device secret stays in the keyring.
        for kind in kinds {
            guard let items = try? service.loadAll(of: vault, kind) else { return }
            for item in items { found[item.name] = try? item.secret.get() }
        }
        ahead.withLock { $0 = found }
    }

    func destroy(_ name: String, of id: KeyID) throws {
        let name = try self.name(name, id)
        ahead.withLock { $0[name] = nil }
        try service.delete(name)
    }

    func destroy(_ id: KeyID) throws {
        for kind in kinds { try destroy(kind.text, of: id) }
    }

    func keyIDs() throws -> Set<KeyID> {
        Set(try service.names(in: vault).filter(\.isOfConnection).map { KeyID($0.id) })
    }

    /// The kinds of items that a connection may have.
    private var kinds: [ItemName.Kind] { service.secrets.map(ItemName.Kind.ofConnection) }

    // MARK: Rows

    func seal(_ plaintext: [UInt8], as name: String) throws -> [UInt8] {
        let key = try subkey("rows")
        // The array's memory is used within the call only.
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
            throw PINError.notSet
        }
    }

    // MARK: Sessions

    func sessionsKey() throws -> any SecretSealer {
        SessionsKey(
            try subkey("sessions"), of: vault, records: records, shelf: RescueShelf(vault: vault, service: service))
    }

    // MARK: The log's head

    func logHead() throws -> [UInt8]? {
        try service.loadSealed(.logHead(of: vault))
    }

    func setLogHead(_ sealed: [UInt8]) throws { try service.store(sealed, as: .logHead(of: vault)) }

    func isLogBegun() throws -> Bool {
        if knowsLogBegun.withLock({ $0 }) { return true }
        guard let record = try records.record(), record.vaultID == vault else { throw PINError.notSet }
        let isBegun = try content(of: record).isLogBegun
        if isBegun { knowsLogBegun.withLock { $0 = true } }
        return isBegun
    }

    func beginLog() throws {
        try records.update { existing in
            guard var record = existing, record.vaultID == vault else { throw PINError.notSet }
            var content = try content(of: record)
            content.isLogBegun = true
            record.sealedMasterKey = try content.sealed(with: sealingKey, of: vault)
            return record
        }
        knowsLogBegun.withLock { $0 = true }
    }

    private func content(of record: PINRecord) throws -> MasterKey {
        guard !record.sealedMasterKey.isEmpty else { throw PINError.notSet }
        do {
            return try MasterKey(opening: record.sealedMasterKey, with: sealingKey, of: vault)
        } catch CryptoError.authenticationFailed {
            throw PINError.changed
        }
    }

    // MARK: -

    private func name(_ text: String, _ id: KeyID) throws -> ItemName {
        guard let kind = ItemName.Kind(text, declared: service.secrets), case .ofConnection = kind else {
            throw SecretServiceError(.refused(), "no provider declares a secret of this name")
        }
        return ItemName(vault: vault, kind: kind, id: id.text)
    }

    private func open(_ name: ItemName) throws -> LockedBytes {
        guard let item = try takeAhead(name) ?? service.load(name) else {
            throw SecretServiceError(
                .itemMissing, "the keyring has no \(name.kind.words) for this connection")
        }
        do {
            return try AEAD.open(item.withBytes { Array($0) }, key: subkey("items"), name: name.sealedAs)
        } catch CryptoError.authenticationFailed {
            throw SecretServiceError.damaged(name.kind, count: item.count)
        }
    }

    private func takeAhead(_ name: ItemName) -> LockedBytes? {
        ahead.withLock { $0.removeValue(forKey: name) }
    }

    /// Derives a separate key for each purpose, so that a value sealed for one purpose does not open for another.
    private func subkey(_ purpose: String) throws -> LockedBytes {
        try HKDF.derive(masterKey, salt: [], info: "countersign \(purpose) 1", count: 32)
    }
}
