import Basics
import Cryptography
import Keys

extension PINVault {
    /// Seals the opened master key under a new PIN and a new device secret, then destroys the old device secret and the
    /// remains of the old record in the database.
    ///
    /// Writing the record is the step that decides: before it the old PIN opens the vault, after it the new one. The
    /// new device secret is stored before, the old one deleted after. So a process that dies at any point leaves one
    /// PIN that opens the vault; the next right PIN then removes the remains of the old PIN. Runs while no other
    /// process checks or changes a PIN.
    func replace(_ opened: Opened, by new: any Secret) throws {
        let vault = opened.record.vaultID
        let deviceSecret = try LockedBytes.random(DeviceSecret.size)
        let salt = try RandomBytes.make(32)
        let sealingKey = try sealingKey(new, deviceSecret, salt: salt, cost: cost)
        new.wipe()
        let name = ItemName.deviceSecret(try RandomBytes.uuid(), of: vault)
        try service.storeLasting([(name, deviceSecret)])
        var replaced = opened.record
        do {
            try records.update { existing in
                // The vault may have been destroyed, or its log begun, by others since.
                guard let existing, existing.vaultID == vault, !existing.sealedMasterKey.isEmpty else {
                    throw PINError.notSet
                }
                let current = try MasterKey(opening: existing.sealedMasterKey, with: opened.sealingKey, of: vault)
                replaced = PINRecord(
                    vaultID: vault, salt: salt, cost: cost, deviceSecret: name.id,
                    sealedMasterKey: try current.sealed(with: sealingKey, of: vault), hasLeftovers: true,
                    series: existing.series,
                    seriesMark: try DeviceSecret.mark(of: existing.series, of: vault, under: deviceSecret),
                    commitment: try DeviceSecret.commitment(to: deviceSecret, of: vault))
                return replaced
            }
        } catch let error as PINError {
            // Nothing was written. After any other error that is not certain, so the new device secret is kept then.
            try? service.delete(name)
            throw error
        }
        // The count that the keyring has is sealed under the old device secret.
        keep(TryCount(replaced), of: replaced, deviceSecret)
        do {
            try removeLeftovers(beside: replaced)
        } catch {
            throw PINError.leftovers
        }
    }

    /// Removes the remains of earlier PINs: their device secrets, and their records in the database's files.
    func removeLeftovers(beside record: PINRecord) throws {
        for name in try service.names(in: record.vaultID)
        where name.kind == .deviceSecret && name.id != record.deviceSecret { try service.delete(name) }
        try records.forgetEarlierRecords()
        try records.update { existing in
            guard var existing, existing.deviceSecret == record.deviceSecret else { return existing }
            existing.hasLeftovers = false
            return existing
        }
    }
}
