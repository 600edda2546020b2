import Basics
import Keys

extension PINVault {
    /// Destroys the vault in this order: device secret, sealed master key, items, rows, and with the rows the PIN
    /// record. Until then the record has no tries left and keeps the vault's id, so that a destruction which was
    /// interrupted can be continued.
    func destroy(_ record: PINRecord) throws {
        // So that a keyring that asks before each use of an item asks once for all.
        try service.open(record.vaultID)
        try service.deleteAll(.deviceSecret, of: record.vaultID)
        try records.update { existing in
            guard var record = existing else { return nil }
            record.sealedMasterKey = []
            record.failures = PINBudget.tries
            record.hasLeftovers = false
            record.block = nil
            return record
        }
        try service.deleteAll(of: record.vaultID)
        try records.destroyEverything()
    }
}
