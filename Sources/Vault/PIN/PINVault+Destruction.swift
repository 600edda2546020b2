import Basics

extension PINVault {
    /// Destroys the vault so that a cut at any point can be taken up again: device secret, sealed master key, items,
    /// and last the rows with the record, which until then counts as used up and keeps the vault's id.
    func destroy(_ record: PINRecord) throws {
        // All at once, where a keyring asks whether they may be touched.
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
