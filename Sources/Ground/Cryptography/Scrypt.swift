package import Basics
internal import COpenSSL
package import Keys

/// scrypt (RFC 7914), which makes each guess of a PIN cost time and memory.
package enum Scrypt {
    /// Costs that need more memory than this are refused: 1 GiB.
    private static let memoryLimit: UInt64 = 1 << 30

    /// `count` bytes from `pin` and `salt`. Needs 128 * n * r bytes of memory while it runs; OpenSSL wipes them. Throws
    /// `failed` for a cost outside RFC 7914 or beyond 1 GiB.
    package static func derive(_ pin: any Secret, salt: [UInt8], cost: PINRecord.Cost, count: Int) throws -> LockedBytes
    {
        let (r, p) = (UInt64(cost.r), UInt64(cost.p))
        // n, r and p are limited first, so that the product cannot overflow.
        guard cost.n <= 1 << 24, r <= 1 << 20, p <= 1 << 20, 128 * r * (cost.n + p + 2) <= memoryLimit else {
            throw CryptoError.failed("scrypt parameters beyond what this program uses")
        }
        return try LockedBytes(count: count) { output in
            let done = pin.withBytes { pin in
                // Reads and writes within the given lengths. OpenSSL's default limit of 32 MiB is below n = 2^16, r =
                // 8, so ours is passed.
                EVP_PBE_scrypt(
                    UnsafeRawPointer(pin.bytes).assumingMemoryBound(to: CChar.self), pin.count, salt, salt.count,
                    cost.n, r, p, 2 * memoryLimit, output.bytes, output.count)
            }
            guard done == 1 else { throw CryptoError.openSSL(.failed("scrypt refused its parameters")) }
        }
    }
}
