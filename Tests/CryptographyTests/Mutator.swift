import Basics
@testable import Cryptography

/// Random changes to text, the same for the same seed (xorshift64*).
struct Mutator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func below(_ limit: Int) -> Int {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return Int((state &* 0x2545_f491_4f6c_dd1d) >> 33) % limit
    }

    /// Changes, removes, doubles or inserts bytes. The result is valid UTF-8.
    mutating func mutate(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...below(3) {
            let index = below(bytes.count + 1)
            switch below(6) {
            case 0: bytes.insert(UInt8(below(256)), at: index)
            case 1: bytes.removeSubrange(index..<min(bytes.count, index + 1 + below(8)))
            case 2: bytes.removeSubrange(index...)
            case 3: bytes.insert(contentsOf: bytes[..<index], at: index)
            case 4: bytes.insert(contentsOf: "=\u{a0}\u{202e}\0 ".utf8, at: index)
            default: if index < bytes.count { bytes[index] = UInt8(below(256)) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Decrypts a block of the right length to 32 or, every other time, 16 bytes.
final class ConstantKey: PrivateKey {
    let publicKeyPEM = ""

    func sign(_ message: [UInt8]) throws -> [UInt8] { [] }

    func decrypt(_ block: [UInt8]) throws -> any Secret {
        guard block.count == 256 else { throw CryptoError.badLength("") }
        return try LockedBytes.random(block[0].isMultiple(of: 2) ? 32 : 16)
    }
}
