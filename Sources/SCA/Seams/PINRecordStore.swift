/// What lies on disk about the PIN: none of it opens anything without the device secret in the Secret Service.
public struct PINRecord: Sendable, Equatable, Codable {
    /// scrypt (RFC 7914) parameters, stored so that they can rise.
    public struct Cost: Sendable, Equatable, Codable {
        public var n: UInt64
        public var r: UInt32
        public var p: UInt32

        public init(n: UInt64, r: UInt32, p: UInt32) {
            self.n = n
            self.r = r
            self.p = p
        }
    }

    /// A block of tries: within one boot only CLOCK_BOOTTIME counts, after a reboot the whole length counts again.
    public struct Block: Sendable, Equatable, Codable {
        /// `/proc/sys/kernel/random/boot_id` when it began.
        public var bootID: String
        /// CLOCK_BOOTTIME in seconds when it began.
        public var bootTime: Int64
        /// Length in seconds.
        public var seconds: Int64

        public init(bootID: String, bootTime: Int64, seconds: Int64) {
            self.bootID = bootID
            self.bootTime = bootTime
            self.seconds = seconds
        }
    }

    public var vaultID: String
    public var salt: [UInt8]
    public var cost: Cost
    /// The master key, sealed under the key from PIN and device secret.
    public var sealedMasterKey: [UInt8]
    /// Failed (or cut short) tries in a row, 0 to 9.
    public var failures: Int
    public var block: Block?

    public init(
        vaultID: String, salt: [UInt8], cost: Cost, sealedMasterKey: [UInt8], failures: Int = 0, block: Block? = nil
    ) {
        self.vaultID = vaultID
        self.salt = salt
        self.cost = cost
        self.sealedMasterKey = sealedMasterKey
        self.failures = failures
        self.block = block
    }
}

/// Keeps the PIN record: implemented by the ledger, used by the vault.
public protocol PINRecordStore: Sendable {
    func record() throws -> PINRecord?
    /// Changes the record under the state lock; what `change` returns is on disk (fsync) when this returns. Nil removes it.
    func update(_ change: (PINRecord?) throws -> PINRecord?) throws
    /// Runs one check of a PIN after the other, over all processes, so that right PINs that are checked at the same moment
    /// do not count as each other's failures. Ends by itself when the process is killed.
    func oneAtATime<R>(_ check: () throws -> R) throws -> R
    /// Removes every row of connections, decisions and the record, and truncates what the database kept of them.
    func destroyEverything() throws
}
