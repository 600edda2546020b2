internal import CPlatform
internal import Glibc
internal import Synchronization

/// The memory of `LockedBytes`: pages between two guard pages, left out of core dumps, locked into RAM.
///
/// A secret of up to 4096 bytes gets a slot, whose size is a power of two, in a shared page. So a few hundred secrets
/// fit under a small RLIMIT_MEMLOCK, and a secret costs no system call. A freed slot is wiped and used again. A larger
/// secret gets pages of its own.
enum LockedMemory {
    enum Locking {
        /// Refuse when the limit on locked memory is reached.
        case required
        /// Lock if possible; guarded, undumped and wiped in any case.
        case preferred
    }

    /// Unchecked because of the pointer: a block only names memory, and `LockedBytes`, its one owner, decides who may
    /// touch it.
    struct Block: @unchecked Sendable {
        let start: UnsafeMutableRawPointer
        /// Bytes that may be used, from `start`.
        let size: Int
        /// Whether it is a slot that goes back to the pool.
        let pooled: Bool
    }

    static let largestSlot = 4096
    private static let smallestSlot = 32
    private static let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))

    /// Free slots by size.
    private static let free = Mutex<[Int: [Block]]>([:])
    /// The pages of all slots, which are never given back.
    private static let pages = Mutex<[Range<UInt>]>([])

    static var slotPages: [Range<UInt>] { pages.withLock { $0 } }

    /// At least `count` bytes of zeros.
    static func take(_ count: Int, _ locking: Locking) throws -> Block {
        guard count <= largestSlot else {
            let pages = (count + pageSize - 1) / pageSize * pageSize
            return Block(start: try map(pages, locking), size: pages, pooled: false)
        }
        var size = smallestSlot
        while size < count { size *= 2 }
        do {
            return try free.withLock { free in
                if let slot = free[size]?.popLast() { return slot }
                let page = try map(pageSize, .required)
                pages.withLock { $0.append(UInt(bitPattern: page)..<UInt(bitPattern: page) + UInt(pageSize)) }
                for offset in stride(from: size, to: pageSize, by: size) {
                    // Inside the page: offset + size <= pageSize, both being powers of two.
                    free[size, default: []].append(Block(start: page + offset, size: size, pooled: true))
                }
                return Block(start: page, size: size, pooled: true)
            }
        } catch  where locking == .preferred {
            return Block(start: try map(pageSize, .preferred), size: pageSize, pooled: false)
        }
    }

    /// Wipes the block and gives it back; nothing may point into it any more.
    static func release(_ block: Block) {
        // The block's own memory, of its own size, still mapped.
        countersign_wipe(block.start, block.size)
        if block.pooled {
            free.withLock { $0[block.size, default: []].append(block) }
        } else {
            // Exactly what `map` mapped: the block and a guard page on each side.
            munmap(block.start - pageSize, block.size + 2 * pageSize)
        }
    }

    private static func map(_ size: Int, _ locking: Locking) throws -> UnsafeMutableRawPointer {
        let whole = size + 2 * pageSize
        // Fresh anonymous memory, ours alone until munmap: here on failure, else in `release` or never (shared pages).
        guard let mapped = mmap(nil, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), mapped != MAP_FAILED else {
            throw CryptoError(.outOfMemory, "no memory for a secret")
        }
        let start = mapped + pageSize
        // The middle of the mapping, page by page; the first and last page stay untouchable.
        guard mprotect(start, size, PROT_READ | PROT_WRITE) == 0, madvise(start, size, MADV_DONTDUMP) == 0 else {
            munmap(mapped, whole)
            throw CryptoError(.outOfMemory, "no memory for a secret")
        }
        guard mlock(start, size) == 0 || locking == .preferred else {
            munmap(mapped, whole)
            throw CryptoError(.outOfMemory, "no more memory may be locked (see ulimit -l)")
        }
        return start
    }
}
