internal import CPlatform
internal import Glibc
internal import Synchronization

/// The memory of `LockedBytes`: pages between two guard pages, left out of core dumps, and locked into RAM as long as
/// RLIMIT_MEMLOCK allows.
///
/// A secret of up to 4096 bytes gets a slot, whose size is a power of two. A slot that is too large is split, so a few
/// pages hold the secrets of a command in all their sizes, and a secret costs no system call. A freed slot is wiped and
/// used again. A larger secret, which can only be a bank's payload, gets pages of its own.
///
/// Where the limit is reached, the pages are used without being locked: a small limit costs protection from swap, which
/// `LockedPages.measure` reports, and never the use of the program.
final class LockedMemory: Sendable {
    /// Unchecked because of the pointer: a block only names memory, and `LockedBytes`, its one owner, decides who may
    /// touch it.
    struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        /// Bytes that may be used, from `start`.
        let size: Int
        /// Whether it is a slot that goes back to the pool.
        let pooled: Bool
    }

    private struct Pool {
        /// Free slots by size.
        var free: [Int: [Block]] = [:]
        /// The pages of all slots, which are never given back.
        var pages: [Range<UInt>] = []
        /// How many bytes of them the kernel did not lock.
        var unlocked = 0
    }

    static let shared = LockedMemory()

    private static let largestSlot = 4096
    private static let smallestSlot = 32
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    private let pool = Mutex(Pool())

    var slotPages: [Range<UInt>] { pool.withLock { $0.pages } }
    var unlockedSlotBytes: Int { pool.withLock { $0.unlocked } }

    /// At least `count` bytes of zeros.
    func take(_ count: Int) throws -> Block {
        guard count <= Self.largestSlot else {
            let size = (count + Self.pageSize - 1) / Self.pageSize * Self.pageSize
            return Block(start: try Self.map(size).start, size: size, pooled: false)
        }
        var size = Self.smallestSlot
        while size < count { size *= 2 }
        return try pool.withLock { pool in
            var larger = size
            while larger < Self.pageSize, pool.free[larger]?.isEmpty ?? true { larger *= 2 }
            let slot = try pool.free[larger]?.popLast() ?? Self.page(for: &pool)
            // Keeps the first part, and halves the rest until only that part is left.
            var rest = slot.size
            while rest > size {
                rest /= 2
                // Inside the slot, whose size is a power of two greater than `rest`.
                pool.free[rest, default: []].append(Block(start: slot.start + rest, size: rest, pooled: true))
            }
            return Block(start: slot.start, size: size, pooled: true)
        }
    }

    /// Wipes the block and gives it back; nothing may point into it any more.
    func release(_ block: Block) {
        // The block's own memory, of its own size, still mapped.
        countersign_wipe(block.start, block.size)
        if block.pooled {
            pool.withLock { $0.free[block.size, default: []].append(block) }
        } else {
            // The whole mapping of `map`: the block and a guard page on each side.
            munmap(block.start - Self.pageSize, block.size + 2 * Self.pageSize)
        }
    }

    /// A new page of slots, as one slot.
    private static func page(for pool: inout Pool) throws -> Block {
        let (start, isLocked) = try map(pageSize)
        pool.pages.append(UInt(bitPattern: start)..<UInt(bitPattern: start) + UInt(pageSize))
        if !isLocked { pool.unlocked += pageSize }
        return Block(start: start, size: pageSize, pooled: true)
    }

    private static func map(_ size: Int) throws -> (start: UnsafeMutableRawPointer, isLocked: Bool) {
        let whole = size + 2 * pageSize
        // Fresh anonymous memory, ours alone until munmap: here on failure, else in `release` or never (shared pages).
        guard let mapped = mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), mapped != MAP_FAILED else {
            throw CryptoError.outOfMemory("no memory for a secret")
        }
        let start = mapped + pageSize
        // The middle of the mapping, page by page; the first and last page stay untouchable.
        guard mprotect(start, size, PROT_READ | PROT_WRITE) == 0, madvise(start, size, MADV_DONTDUMP) == 0 else {
            munmap(mapped, whole)
            throw CryptoError.outOfMemory("no memory for a secret")
        }
        return (start, mlock(start, size) == 0)
    }
}
