public import Basics

/// Compares what the keyring returns with what was stored there, as far as that needs no PIN. Never asks the person.
public struct KeyringCheck: Sendable {
    private let records: any PINRecordStore
    private let service: SecretService

    /// `patience`: how many seconds the keyring has for an answer.
    public init(_ records: any PINRecordStore, patience: Double = 15) {
        self.records = records
        service = SecretService(
            .init(allowsPrompt: false, answerWithin: patience, promptWithin: patience))
    }

    /// Throws `SecretServiceError` `deviceSecretDamaged` or `itemMissing` if no PIN can open the vault; other codes if
    /// the keyring cannot be asked. Does nothing if no PIN is set.
    public func deviceSecret() throws {
        guard let record = try records.record(), !record.sealedMasterKey.isEmpty else { return }
        guard let secret = try service.load(.deviceSecret(record.deviceSecret, of: record.vaultID)) else {
            throw PINVault.noDeviceSecret
        }
        try DeviceSecret.demandIntact(secret, record)
    }

    /// Names the other items that are damaged or missing: only those that are empty or cut off can be recognised
    /// without the PIN. Throws if the keyring cannot be asked.
    public func otherItems() throws -> [String] {
        guard let record = try records.record(), !record.sealedMasterKey.isEmpty else { return [] }
        var findings: [String] = []
        for kind in [ItemName.Kind.key, .token, .sharedSecret, .logHead, .rescue] {
            // Sealed, each is longer than nonce and tag.
            let damaged = try service.loadAll(kind, of: record.vaultID).count { $0.value.count <= 28 }
            if damaged > 0 { findings.append("\(damaged) \(kind.words)\(damaged == 1 ? " is" : "s are") damaged") }
        }
        if try records.hasLog(), try service.load(.logHead(of: record.vaultID)) == nil {
            findings.append("its copy of the log's end is missing")
        }
        return findings
    }
}
