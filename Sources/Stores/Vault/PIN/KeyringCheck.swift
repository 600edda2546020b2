import Basics
import Cryptography
package import Keys

/// Compares the keyring's items with the stored values. Never asks the person.
package struct KeyringCheck: Sendable {
    /// Items that differ from the stored values or are gone, with the remedy.
    package struct Finding: Sendable, Equatable {
        /// The fault, such as "1 token is damaged".
        package var words: String
        package var remedy: String
    }

    private let records: any PINRecordStore
    private let service: SecretService

    /// - Parameters:
    ///   - secrets: the names of the secrets that providers declare.
    ///   - patience: how many seconds the keyring has for an answer.
    package init(_ records: any PINRecordStore, secrets: [String], patience: Double = 15) {
        self.records = records
        service = SecretService(
            .init(secrets: secrets, allowsPrompt: false, answerWithin: patience, promptWithin: patience))
    }

    /// Throws `SecretServiceError` `deviceSecretDamaged` or `deviceSecretMissing` if no PIN can open the vault; other codes if
    /// the keyring cannot be asked. Does nothing if no PIN is set.
    package func deviceSecret() throws {
        guard let record = try records.record(), !record.sealedMasterKey.isEmpty else { return }
        guard let secret = try service.load(.deviceSecret(record.deviceSecret, of: record.vaultID)) else {
            throw PINVault.noDeviceSecret
        }
        try DeviceSecret.demandIntact(secret, record)
    }

    /// The other items that are damaged or missing. Throws if the keyring cannot be asked.
    ///
    /// The seal of an item, with its name as associated data, shows every change. The device secret opens that of the
    /// count of tries; all others need the PIN. Without it only an item that is empty, cut off or undecodable is found.
    ///
    /// - Parameter keys: those of the vault, if the PIN has opened it.
    package func otherItems(_ keys: (any KeyStore)? = nil) throws -> [Finding] {
        guard let record = try records.record(), !record.sealedMasterKey.isEmpty else { return [] }
        let items = try service.loadAll(of: record.vaultID)
        let deviceSecret = try? items.first { $0.name.kind == .deviceSecret && $0.name.id == record.deviceSecret }?
            .secret.get()
        var damaged: [ItemName.Kind: Int] = [:]
        for item in items where try !isIntact(item.name, item.secret, deviceSecret, keys) {
            damaged[item.name.kind, default: 0] += 1
        }
        let kinds = [.deviceSecret] + service.secrets.map(ItemName.Kind.ofConnection) + [.logHead, .tries, .rescue]
        var findings = kinds.compactMap { kind in
            damaged[kind].map { Finding(words: kind.words(damaged: $0), remedy: kind.remedy) }
        }
        if try records.hasLog(), !items.contains(where: { $0.name.kind == .logHead }) {
            let words = "its copy of the log's end is missing"
            findings.append(Finding(words: words, remedy: ItemName.Kind.logHead.remedy))
        }
        return findings
    }

    private func isIntact(
        _ name: ItemName, _ found: Result<LockedBytes, any Error>, _ deviceSecret: LockedBytes?, _ keys: (any KeyStore)?
    ) throws -> Bool {
        do {
            // Sealed, each is longer than nonce and tag.
            let secret = try found.get()
            if name.kind != .deviceSecret, secret.count <= AEAD.overhead { return false }
            switch name.kind {
            case .tries:
                guard let deviceSecret else { return true }
                return (try? TryCount(opening: secret.withBytes { Array($0) }, with: deviceSecret, as: name)) != nil
            // Its seal is enough.
            case .ofConnection(let secret): _ = try keys?.load(SecretName(secret, .bytes), of: KeyID(name.id))
            // Checked by itself, with the log and with the sessions.
            case .deviceSecret, .logHead, .rescue: break
            }
            return true
        } catch let error as SecretServiceError where error.kind == .damaged {
            return false
        } catch let error as SecretServiceError where error.kind == .deviceSecretDamaged {
            return true
        }
    }
}

extension [KeyringCheck.Finding] {
    /// All of them in one line.
    package var words: String { "in the keyring: " + map(\.words).joined(separator: "; ") }
}

extension ItemName.Kind {
    fileprivate func words(damaged count: Int) -> String {
        switch self {
        case .logHead: "its copy of the log's end is damaged"
        case .tries: "its count of tries is damaged"
        case .rescue: "the newest tokens of \(count == 1 ? "1 session" : "\(count) sessions") are damaged"
        case .deviceSecret, .ofConnection: "\(count) \(words)\(count == 1 ? " is" : "s are") damaged"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .ofConnection: "connect the bank again: countersign reconnect NAME"
        case .logHead: "look at the log: countersign history --verify"
        case .rescue: "sign in again: countersign login NAME"
        case .tries: "the next PIN writes it anew: countersign connections"
        case .deviceSecret: "start anew: countersign pin reset"
        }
    }
}
