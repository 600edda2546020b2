package import Basics

/// Several parts in one secret: each is preceded by its length in four bytes, the highest first.
extension LockedBytes {
    /// Joins a plaintext and secrets. Throws `badLength` for a part of 4 GiB or more, and `outOfMemory`.
    package convenience init(joining plaintext: [UInt8], _ secrets: [any Secret]) throws {
        let lengths = [plaintext.count] + secrets.map(\.count)
        guard lengths.allSatisfy({ $0 <= Int(UInt32.max) }) else {
            throw CryptoError.badLength("too long to be kept")
        }
        try self.init(count: lengths.reduce(4 * lengths.count, +)) { room in
            var position = 0
            func put(_ bytes: UnsafeRawBufferPointer) {
                for shift in [24, 16, 8, 0] {
                    room[position] = UInt8(truncatingIfNeeded: bytes.count >> shift)
                    position += 1
                }
                // The room has as many bytes as all parts together.
                UnsafeMutableRawBufferPointer(rebasing: room[position..<(position + bytes.count)]).copyMemory(
                    from: bytes)
                position += bytes.count
            }
            plaintext.withUnsafeBytes(put)
            for secret in secrets { secret.withBytes(put) }
        }
    }

    /// The reverse. Throws `badLength` for bytes that were not joined so.
    package func split() throws -> (plaintext: [UInt8], secrets: [any Secret]) {
        try withBytes { bytes in
            var rest = bytes[...]
            func next() throws -> UnsafeRawBufferPointer {
                let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                guard rest.count >= 4, rest.count - 4 >= length else {
                    throw CryptoError.badLength("joined parts are cut off")
                }
                rest = rest.dropFirst(4)
                defer { rest = rest.dropFirst(length) }
                return UnsafeRawBufferPointer(rebasing: rest.prefix(length))
            }
            let plaintext = Array(try next())
            var secrets: [any Secret] = []
            while !rest.isEmpty { secrets.append(try LockedBytes(copying: next())) }
            return (plaintext, secrets)
        }
    }
}
