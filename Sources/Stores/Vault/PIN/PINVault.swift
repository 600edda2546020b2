package import Basics
import Cryptography
package import Keys

/// The live `PINGate`: a master key, sealed under a key that is derived from both the PIN and the device secret.
///
/// The sealed master key is in the PIN record (`PINRecordStore`), the device secret in the Secret Service. Calls block
/// for the time of scrypt and, when the Secret Service may prompt, for the person; the state lock is not held
/// meanwhile.
package final class PINVault: PINGate {
    typealias Derive = @Sendable (any Secret, [UInt8], PINRecord.Cost) throws -> any Secret

    let records: any PINRecordStore
    let service: SecretService
    private let clock: Clock
    let cost: PINRecord.Cost
    private let derive: Derive

    /// `cost` is scrypt's for a new PIN. An existing record keeps its own until the PIN is changed.
    package convenience init(
        records: any PINRecordStore, service: SecretService, clock: Clock = SystemClock.live,
        cost: PINRecord.Cost = .init(n: 1 << 16, r: 8, p: 1)
    ) {
        self.init(records: records, service: service, clock: clock, cost: cost) { pin, salt, cost in
            try Scrypt.derive(pin, salt: salt, cost: cost, count: 32)
        }
    }

    init(
        records: any PINRecordStore, service: SecretService, clock: Clock, cost: PINRecord.Cost,
        derive: @escaping Derive
    ) {
        self.records = records
        self.service = service
        self.clock = clock
        self.cost = cost
        self.derive = derive
    }

    /// Does not use the Secret Service. When boot and time cannot be trusted, `blockedFor` is the length of a whole
    /// block, although that block never ends.
    package func status() throws -> PINStatus {
        guard let record = try records.record() else {
            return PINStatus(isSet: false, triesLeft: PINBudget.tries, blockedFor: nil)
        }
        let blockedFor =
            if let now = clock.boot() {
                PINBudget.blockedFor(record, at: now)
            } else {
                Int(record.block?.seconds ?? 60)
            }
        return PINStatus(isSet: true, triesLeft: PINBudget.triesLeft(record), blockedFor: blockedFor)
    }

    /// The record is written last, in one step: a crash before that leaves only a device secret that nothing refers to.
    package func set(_ pin: any Secret) throws -> any OpenVault {
        try PINRules.check(pin)
        if let record = try records.record() {
            guard PINBudget.triesLeft(record) == 0 else { throw PINError.alreadySet }
            try destroy(record)
        }
        let vault = try RandomBytes.uuid()
        let deviceSecret = try LockedBytes.random(DeviceSecret.size)
        let masterKey = try LockedBytes.random(32)
        let salt = try RandomBytes.make(32)
        let sealingKey = try sealingKey(pin, deviceSecret, salt: salt, cost: cost)
        pin.wipe()
        let record = PINRecord(
            vaultID: vault, salt: salt, cost: cost,
            sealedMasterKey: try MasterKey(masterKey).sealed(with: sealingKey, of: vault),
            seriesMark: try DeviceSecret.mark(of: 0, of: vault, under: deviceSecret),
            commitment: try DeviceSecret.commitment(to: deviceSecret, of: vault))
        let name = ItemName.deviceSecret(of: vault)
        try service.storeLasting([(name, deviceSecret)])
        do {
            try records.update { existing in
                guard existing == nil else { throw PINError.alreadySet }
                return record
            }
        } catch {
            try? service.delete(name)
            throw error
        }
        return UnlockedVault(
            vault: vault, masterKey: masterKey, sealingKey: sealingKey, service: service, records: records)
    }

    package func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault {
        defer { pin.wipe() }
        return try unseal(with: pin, from: source) { opened in
            UnlockedVault(
                vault: opened.record.vaultID, masterKey: opened.masterKey.key, sealingKey: opened.sealingKey,
                service: service, records: records)
        }
    }

    package func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws {
        try PINRules.check(new)
        defer { old.wipe() }
        try unseal(with: old, from: source) { try replace($0, by: new) }
    }

    package func reset() throws {
        guard let record = try records.record() else { return try records.destroyEverything() }
        try destroy(record)
    }

    /// The result of a right PIN: a record, its keys and the values that they unseal.
    struct Opened {
        let record: PINRecord
        let sealingKey: any Secret
        let masterKey: MasterKey
    }

    /// Another process changed the PIN after the record was read.
    private struct IsSuperseded: Error {}

    /// Counts a try, then checks the PIN; `use` runs before another process can check one or change it.
    private func unseal<R>(
        with pin: any Secret, from source: PINSource, _ use: (Opened) throws -> R
    ) throws -> R {
        while true {
            guard let found = try records.record() else { throw PINError.notSet }
            if PINBudget.triesLeft(found) == 0, source == .person {
                // The process died in the last try before it destroyed the vault.
                try destroy(found)
                throw PINError.destroyed
            }
            try PINBudget.admit(found, from: source, at: clock.boot())
            // A slip of the finger, a PIN that was wiped before, or the password of something else.
            guard PINRules.allows(pin) else { throw PINError.impossible }
            try service.open(found.vaultID)
            guard let deviceSecret = try service.load(.deviceSecret(found.deviceSecret, of: found.vaultID)) else {
                if let now = try records.record(), now.deviceSecret != found.deviceSecret { continue }
                throw Self.noDeviceSecret
            }
            try DeviceSecret.demandIntact(deviceSecret, found)
            do {
                return try records.oneAtATime {
                    try use(check(pin, with: deviceSecret, found, from: source))
                }
            } catch is IsSuperseded {
                // The device secret belongs to the old PIN. With it, the right new PIN would count as wrong.
            }
        }
    }

    private func check(
        _ pin: any Secret, with deviceSecret: any Secret, _ found: PINRecord, from source: PINSource
    ) throws -> Opened {
        let kept = keptCount(of: found, deviceSecret)
        let counted = try count(found, kept, deviceSecret, from: source)
        keep(TryCount(counted), of: counted, deviceSecret)
        let sealingKey = try sealingKey(pin, deviceSecret, salt: counted.salt, cost: counted.cost)
        pin.wipe()
        var masterKey: MasterKey
        do {
            masterKey = try MasterKey(opening: counted.sealedMasterKey, with: sealingKey, of: counted.vaultID)
        } catch CryptoError.authenticationFailed {
            let left = PINBudget.triesLeft(counted)
            if left == 0 {
                try destroy(counted)
                throw PINError.destroyed
            }
            throw PINError.wrong(triesLeft: left, blockedFor: counted.block.map { Int($0.seconds) })
        }
        // A home of an earlier release does not say yet that its log was begun. Were that sealed with the next event
        // only, the log could be erased without a trace until then.
        // A keyring that does not answer now leaves that to the next right PIN: it must not turn this one into a failure.
        let beginsLog = !masterKey.isLogBegun && (try? hasLog(counted)) == true
        if beginsLog { masterKey.isLogBegun = true }
        let commitment = try DeviceSecret.commitment(to: deviceSecret, of: counted.vaultID)
        // Wraps instead of ending the program, should somebody have edited it.
        let series = counted.series &+ 1
        let mark = try DeviceSecret.mark(of: series, of: counted.vaultID, under: deviceSecret)
        try records.update { existing in
            guard var record = existing, record.vaultID == counted.vaultID else { throw PINError.notSet }
            record.failures = 0
            record.block = nil
            (record.series, record.seriesMark) = (series, mark)
            record.commitment = commitment
            if beginsLog { record.sealedMasterKey = try masterKey.sealed(with: sealingKey, of: counted.vaultID) }
            return record
        }
        // A count of one is no reason for a second write: it belongs to a series that has ended.
        if counted.failures > 1 {
            keep(TryCount(series: series, failures: 0, block: nil), of: counted, deviceSecret)
        }
        // Left by a change that was interrupted. If it cannot be removed now, the PIN still opens the vault.
        if counted.hasLeftovers { try? removeLeftovers(beside: counted) }
        return Opened(record: counted, sealingKey: sealingKey, masterKey: masterKey)
    }

    /// Whether there is a log, in the database or by the keyring's copy of its head.
    private func hasLog(_ record: PINRecord) throws -> Bool {
        try records.hasLog() || service.load(.logHead(of: record.vaultID)) != nil
    }

    /// Counts a failed try on disk before the PIN is checked, and returns the record with that count. `kept` is the
    /// keyring's count.
    private func count(
        _ found: PINRecord, _ kept: TryCount?, _ deviceSecret: any Secret, from source: PINSource
    ) throws -> PINRecord {
        var counted = found
        var isRecounted = false
        try records.update { existing in
            // Checked again under the lock, since other processes count tries, too.
            guard let existing, existing.vaultID == found.vaultID else { throw PINError.notSet }
            guard existing.deviceSecret == found.deviceSecret else { throw IsSuperseded() }
            func mark(_ series: Int) throws -> [UInt8] {
                try DeviceSecret.mark(of: series, of: existing.vaultID, under: deviceSecret)
            }
            let isProved = try existing.seriesMark == mark(existing.series)
            var record = PINBudget.stricter(existing, kept, isSeriesProved: isProved)
            // The keyring's number is proved by its seal.
            if let kept, record.series == kept.series { record.seriesMark = try mark(kept.series) }
            let now = clock.boot()
            // The person did not see how few tries are left, so this try is not made.
            if record.failures > existing.failures, record.failures >= PINBudget.personOnly {
                (counted, isRecounted) = (record, true)
                return record
            }
            try PINBudget.admit(record, from: source, at: now)
            guard let now, PINBudget.triesLeft(record) > 0 else { throw PINError.destroyed }
            counted = PINBudget.counting(record, at: now)
            return counted
        }
        if isRecounted {
            let blockedFor = clock.boot().flatMap { PINBudget.blockedFor(counted, at: $0) }
            throw PINError.recounted(triesLeft: PINBudget.triesLeft(counted), blockedFor: blockedFor)
        }
        return counted
    }

    static var noDeviceSecret: SecretServiceError {
        SecretServiceError(
            .deviceSecretMissing,
            """
            this vault's device secret is not in the keyring, so no PIN opens it: bring the keyring back, or destroy \
            the vault with pin reset and enroll again
            """
        )
    }

    /// HKDF over scrypt(PIN, salt) and the device secret, so that neither alone makes the key.
    func sealingKey(
        _ pin: any Secret, _ deviceSecret: any Secret, salt: [UInt8], cost: PINRecord.Cost
    ) throws -> any Secret {
        let stretched = try derive(pin, salt, cost)
        let both = try deviceSecret.withBytes { try LockedBytes(stretched, $0) }
        return try HKDF.derive(both, salt: salt, info: "countersign master key 1", count: 32)
    }
}
