import Basics
import Cryptography
import Keys

/// The value that the PIN opens: the master key, and whether a log was begun under it.
///
/// The sealed form is the 32 bytes of the key, and one more byte (1) from the first event of the log on. A home of an
/// earlier release does not have that byte; the next event adds it.
struct MasterKey {
    static let size = 32

    let key: any Secret
    var isLogBegun: Bool

    init(_ key: any Secret, isLogBegun: Bool = false) {
        self.key = key
        self.isLogBegun = isLogBegun
    }

    /// Throws `CryptoError` `authenticationFailed` when it was sealed under another key than `sealingKey`.
    init(opening sealed: [UInt8], with sealingKey: any Secret, of vault: String) throws {
        let content = try AEAD.open(sealed, key: sealingKey, name: Self.sealedAs(vault))
        isLogBegun = content.withBytes { $0.count == Self.size + 1 && $0[Self.size] == 1 }
        guard isLogBegun || content.count == Self.size else {
            throw StoreError.damaged("the sealed master key has a form that this release does not know")
        }
        key = try content.withBytes { try LockedBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<Self.size])) }
    }

    func sealed(with sealingKey: any Secret, of vault: String) throws -> [UInt8] {
        guard isLogBegun else { return try AEAD.seal(key, key: sealingKey, name: Self.sealedAs(vault)) }
        let mark: [UInt8] = [1]
        // The array's memory is used within the call only, and copied.
        let content = try mark.withUnsafeBytes { try LockedBytes(key, $0) }
        return try AEAD.seal(content, key: sealingKey, name: Self.sealedAs(vault))
    }

    private static func sealedAs(_ vault: String) -> String { "master-key/\(vault)" }
}
