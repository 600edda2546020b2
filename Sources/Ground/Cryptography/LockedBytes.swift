package import Basics
internal import COpenSSL
internal import CPlatform
internal import Synchronization

/// The live `Secret`: bytes that are left out of core dumps, wiped when the last reference goes, and locked into RAM as
/// long as RLIMIT_MEMLOCK allows. The bytes never change between being filled in and being wiped, so any number of
/// threads may read them.
package final class LockedBytes: Secret {
    package var count: Int { isWiped.load(ordering: .acquiring) ? 0 : length }
    private let length: Int
    private let isWiped = Atomic(false)
    private let block: LockedMemory.Block

    /// `count` bytes of zeros, for `fill` to overwrite. Throws the errors of `fill`, and `outOfMemory`.
    package convenience init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
        try self.init(capacity: count) { buffer in
            try fill(buffer)
            return count
        }
    }

    /// As `init(count:fill:)`, for a `fill` that returns how many of the bytes it used.
    package init(capacity: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
        let block = try LockedMemory.shared.take(capacity)
        do {
            // The block has at least `capacity` bytes and stays until `release`.
            length = try fill(UnsafeMutableRawBufferPointer(start: block.start, count: capacity))
        } catch {
            LockedMemory.shared.release(block)
            throw error
        }
        precondition(length <= capacity, "more bytes than there is room for")
        self.block = block
    }

    /// A copy of `bytes`. Throws `outOfMemory`.
    package convenience init(copying bytes: UnsafeRawBufferPointer) throws {
        try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
    }

    /// Two parts, one after the other.
    package convenience init(_ first: any Secret, _ second: UnsafeRawBufferPointer) throws {
        try self.init(count: first.count + second.count) { room in
            // Together they have as many bytes as there is room for.
            first.withBytes { room.copyMemory(from: $0) }
            UnsafeMutableRawBufferPointer(rebasing: room[first.count...]).copyMemory(from: second)
        }
    }

    /// Copies the bytes, then overwrites the array's own memory (also when this throws). There must be no copy of the
    /// array: it would keep the memory.
    package convenience init(wiping bytes: inout [UInt8]) throws {
        defer {
            // The array's memory for the length of the call.
            bytes.withUnsafeMutableBytes { buffer in
                if let start = buffer.baseAddress { countersign_wipe(start, buffer.count) }
            }
        }
        try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit { LockedMemory.shared.release(block) }

    package func wipe() {
        isWiped.store(true, ordering: .releasing)
        // The block's own memory, of its own size, ours until deinit.
        countersign_wipe(block.start, block.size)
    }

    /// `count` random bytes from OpenSSL's private generator.
    package static func random(_ count: Int) throws -> LockedBytes {
        try LockedBytes(count: count) { buffer in
            // Writes `count` bytes to the buffer, which has as many.
            guard RAND_priv_bytes(buffer.bytes, Int32(count)) == 1 else {
                throw CryptoError.openSSL(.failed("no randomness"))
            }
        }
    }

    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        // The block lives as long as self, and self as long as this call.
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: block.start, count: count)) }
    }

    /// Compares in a time that depends on the lengths alone.
    package func equals(_ other: any Secret) -> Bool {
        guard count == other.count else { return false }
        return withBytes { mine in
            // Both buffers have `count` bytes.
            other.withBytes { CRYPTO_memcmp(mine.bytes, $0.bytes, count) == 0 }
        }
    }
}
