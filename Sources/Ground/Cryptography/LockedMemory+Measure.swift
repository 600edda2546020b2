internal import CPlatform
internal import Glibc

/// Whether the pages that hold secrets are locked into RAM, as the kernel reports it for these pages.
package struct LockedPages: Sendable, Equatable {
    /// Bytes of pages that hold secrets: those of `LockedBytes`, and all that OpenSSL works in.
    package var bytes: Int
    /// How many of them are not locked into RAM.
    package var unlocked: Int
    /// How many of them a core dump would hold.
    package var dumped: Int
    /// How many more RSA keys can be in use before the limit on locked memory is reached; nil when there is no limit.
    package var roomForKeys: Int?

    /// Bytes of pages that held or hold secrets and were not locked when they were taken, because RLIMIT_MEMLOCK was
    /// reached.
    package static var refused: Int {
        let heap = countersign_locked_heap_state()
        return heap.count - heap.locked + LockedMemory.shared.unlockedSlotBytes
    }

    /// Makes a key, uses it as for a bank, and reads the state of its pages from /proc/self/smaps (VmFlags,
    /// proc_pid_smaps(5)). Throws `failed` when that file cannot be read, or when OpenSSL does not work in locked
    /// memory.
    package static func measure() throws -> LockedPages {
        let secret = try LockedBytes.random(32)
        let key = try RSAPrivateKey.generate()
        let stored = try key.pkcs8()
        _ = try use(key)
        let before = countersign_locked_heap_state()
        let copies = try (0..<4).map { _ in try use(RSAPrivateKey(pkcs8: stored)) }
        let heap = countersign_locked_heap_state()
        guard heap.count > 0, heap.used > before.used else {
            throw CryptoError.failed("OpenSSL does not work in locked memory")
        }
        let start = UInt(bitPattern: heap.start)
        let ranges = LockedMemory.shared.slotPages + [start..<start + UInt(heap.count)]
        var pages = LockedPages(bytes: ranges.map(\.count).reduce(0, +), unlocked: 0, dumped: 0, roomForKeys: nil)
        (pages.unlocked, pages.dumped) = (pages.bytes, pages.bytes)
        for (span, flags) in try mappings() {
            let bytes = ranges.map { $0.clamped(to: span).count }.reduce(0, +)
            if flags.contains("lo") { pages.unlocked -= bytes }
            if flags.contains("dd") { pages.dumped -= bytes }
        }
        let limit = countersign_locked_heap_limit()
        if limit != .max {
            // The measured size and a third more, since blocks come in chunks that are not always full.
            let each = Int(heap.used - before.used) / copies.count * 4 / 3
            pages.roomForKeys = max(0, Int(limit) - Int(heap.used)) / max(1, each)
        }
        return withExtendedLifetime((secret, key, copies)) { pages }
    }

    private static func use(_ key: RSAPrivateKey) throws -> RSAPrivateKey {
        _ = try key.sign([])
        // An empty buffer, of which nothing is read.
        let block = try RSAPublicKey(pem: key.publicKeyPEM).encrypt(UnsafeRawBufferPointer(start: nil, count: 0))
        _ = try key.decrypt(block)
        return key
    }

    /// Every mapping of this process with its flags.
    private static func mappings() throws -> [(Range<UInt>, Set<Substring>)] {
        guard let file = fopen("/proc/self/smaps", "re") else {
            throw CryptoError.failed("the kernel does not tell what is locked (/proc/self/smaps)")
        }
        defer { fclose(file) }
        var found: [(Range<UInt>, Set<Substring>)] = []
        var span: Range<UInt>?
        var line = [CChar](repeating: 0, count: 4096)
        // At most the array's own length is written into it, with a null byte at the end.
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            let words = text.split(separator: " ")
            let bounds = (words.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
            if bounds.count == 2, bounds[0] < bounds[1] {
                span = bounds[0]..<bounds[1]
            } else if words.first == "VmFlags:", let last = span {
                found.append((last, Set(words.dropFirst())))
            }
        }
        return found
    }
}
