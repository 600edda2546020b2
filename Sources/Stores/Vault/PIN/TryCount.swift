import Basics
import FoundationEssentials
import Cryptography
import Keys

/// The count of failed tries as the keyring keeps it beside the database's, so that an older copy of the database alone
/// brings no tries back. The stricter of the two counts.
///
/// Each try is written here once, after the database and before the PIN is checked. A right PIN ends the series in the
/// database: the keyring's count of an ended series no longer holds. The database proves the number of its series by a
/// MAC under the device secret, so that an edit of the database cannot end a series. Only where the keyring's count
/// held is a right PIN written here, too, so that a database that is restored again and again does not add up right
/// PINs. If the keyring cannot be read or written, the database's count holds as it is.
struct TryCount: Codable, Equatable {
    /// Which series of tries this is (`PINRecord.series`).
    var series: Int
    var failures: Int
    var block: PINRecord.Block?

    init(series: Int, failures: Int, block: PINRecord.Block?) {
        self.series = series
        self.failures = failures
        self.block = block
    }

    init(_ record: PINRecord) { self.init(series: record.series, failures: record.failures, block: record.block) }

    /// Sealed under a key of its own, so that a count cannot be made without the device secret.
    func sealed(with deviceSecret: any Secret, as name: ItemName) throws -> [UInt8] {
        let content = try JSONEncoder().encode(self)
        let key = try Self.key(deviceSecret)
        // The data's memory is used within the call only.
        return try content.withUnsafeBytes { try AEAD.seal($0, key: key, name: name.sealedAs) }
    }

    init(opening sealed: [UInt8], with deviceSecret: any Secret, as name: ItemName) throws {
        let content = try AEAD.open(sealed, key: Self.key(deviceSecret), name: name.sealedAs)
        self = try JSONDecoder().decode(Self.self, from: content.withBytes { Data($0) })
    }

    private static func key(_ deviceSecret: any Secret) throws -> LockedBytes {
        try HKDF.derive(deviceSecret, salt: [], info: "countersign tries 1", count: 32)
    }
}

extension PINVault {
    /// The keyring's count; nil when there is none that can be read.
    func keptCount(of record: PINRecord, _ deviceSecret: any Secret) -> TryCount? {
        let name = ItemName.tries(of: record.vaultID)
        guard let sealed = try? service.load(name)?.withBytes({ Array($0) }) else { return nil }
        return try? TryCount(opening: sealed, with: deviceSecret, as: name)
    }

    func keep(_ count: TryCount, of record: PINRecord, _ deviceSecret: any Secret) {
        let name = ItemName.tries(of: record.vaultID)
        if let sealed = try? count.sealed(with: deviceSecret, as: name) { try? service.store(sealed, as: name) }
    }
}
