/// The database's record of the PIN. It opens nothing without the device secret in the Secret Service.
package struct PINRecord: Sendable, Equatable, Codable {
    /// scrypt (RFC 7914) parameters, stored so that they can rise.
    package struct Cost: Sendable, Equatable, Codable {
        /// CPU and memory cost, a power of two.
        package var n: UInt64
        /// Block size.
        package var r: UInt32
        /// Parallelisation.
        package var p: UInt32

        package init(n: UInt64, r: UInt32, p: UInt32) {
            self.n = n
            self.r = r
            self.p = p
        }
    }

    /// A time in which no try is allowed. Within one boot only CLOCK_BOOTTIME counts; after a reboot the whole length
    /// counts again.
    package struct Block: Sendable, Equatable, Codable {
        /// `/proc/sys/kernel/random/boot_id` when it began.
        package var bootID: String
        /// CLOCK_BOOTTIME in seconds when it began.
        package var bootTime: Int64
        /// Length in seconds.
        package var seconds: Int64

        package init(bootID: String, bootTime: Int64, seconds: Int64) {
            self.bootID = bootID
            self.bootTime = bootTime
            self.seconds = seconds
        }
    }

    /// A random UUID that each vault has. It names the vault's items in the Secret Service.
    package var vaultID: String
    /// The salt of scrypt.
    package var salt: [UInt8]
    /// The parameters of scrypt.
    package var cost: Cost
    /// The id of the device secret in the Secret Service. Each PIN has a device secret of its own.
    package var deviceSecret: String
    /// The master key, sealed under the key from PIN and device secret.
    package var sealedMasterKey: [UInt8]
    /// Whether something of an earlier PIN may remain: its device secret, or its record in the database's files.
    package var hasLeftovers: Bool
    /// Failed (or cut short) tries in a row, 0 to 9.
    package var failures: Int
    /// The block that the last failure brought, if any.
    package var block: Block?
    /// The number of this series of failures, which grows with each right PIN. The keyring keeps a count of tries, too;
    /// by this number a count of an earlier series is recognised.
    package var series: Int
    /// A MAC of `series` under the device secret; nil in a record of an earlier release before its next right PIN.
    package var seriesMark: [UInt8]?
    /// Recognises the device secret; nil in a record of an earlier release before its next right PIN.
    package var commitment: [UInt8]?

    package init(
        vaultID: String, salt: [UInt8], cost: Cost, deviceSecret: String = Self.firstDeviceSecret,
        sealedMasterKey: [UInt8], hasLeftovers: Bool = false, failures: Int = 0, block: Block? = nil,
        series: Int = 0, seriesMark: [UInt8]? = nil, commitment: [UInt8]? = nil
    ) {
        self.vaultID = vaultID
        self.salt = salt
        self.cost = cost
        self.deviceSecret = deviceSecret
        self.sealedMasterKey = sealedMasterKey
        self.hasLeftovers = hasLeftovers
        self.failures = failures
        self.block = block
        self.series = series
        self.seriesMark = seriesMark
        self.commitment = commitment
    }

    /// The device secret of the PIN that made the vault.
    package static let firstDeviceSecret = "device"

    /// Decodes a record. Records of schema 1 name no device secret, since each home had just the first one.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            vaultID: try container.decode(String.self, forKey: .vaultID),
            salt: try container.decode([UInt8].self, forKey: .salt),
            cost: try container.decode(Cost.self, forKey: .cost),
            deviceSecret: try container.decodeIfPresent(String.self, forKey: .deviceSecret) ?? Self.firstDeviceSecret,
            sealedMasterKey: try container.decode([UInt8].self, forKey: .sealedMasterKey),
            hasLeftovers: try container.decodeIfPresent(Bool.self, forKey: .hasLeftovers) ?? false,
            failures: try container.decode(Int.self, forKey: .failures),
            block: try container.decodeIfPresent(Block.self, forKey: .block),
            series: try container.decodeIfPresent(Int.self, forKey: .series) ?? 0,
            seriesMark: try container.decodeIfPresent([UInt8].self, forKey: .seriesMark),
            commitment: try container.decodeIfPresent([UInt8].self, forKey: .commitment))
    }
}

/// Keeps the PIN record: implemented by the ledger, used by the vault.
package protocol PINRecordStore: Sendable {
    /// The record; nil when no PIN is set.
    func record() throws -> PINRecord?
    /// Changes the record under the state lock; the new record is on disk (fsync) when this returns. Nil removes it.
    func update(_ change: (PINRecord?) throws -> PINRecord?) throws
    /// Runs `check` while no other process or thread checks a PIN. Otherwise two right PINs at the same moment would
    /// each count as a failed try of the other. A killed process lets the next one in.
    func oneAtATime<R>(_ check: () throws -> R) throws -> R
    /// Whether the database holds anything of a log.
    func hasLog() throws -> Bool
    /// Wipes earlier records from the database's files, journal included. Throws `StoreError.busy` when another process
    /// reads the database for too long.
    func forgetEarlierRecords() throws
    /// Removes every row of connections, decisions and the record, and truncates the database's files.
    func destroyEverything() throws
}
