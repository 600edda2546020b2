import CPlatform
import Glibc
import Cryptography
import Testing

struct PlatformTests {
    @Test func hardeningForbidsDumpsForGood() async {
        // In a process of its own: this one is looked into by other tests.
        await #expect(processExitsWith: .success) {
            try ProcessHardening.apply()
            #expect(countersign_dumpable() == 0)
            var limit = rlimit(rlim_cur: 1, rlim_max: 1)
            #expect(getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0)
            #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
            try ProcessHardening.apply()
        }
    }

    @Test func peerOfASocketPairIsThisProcess() {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var (pid, uid, gid) = (pid_t(-1), uid_t.max, gid_t.max)
        #expect(countersign_peer_credentials(ends[0], &pid, &uid, &gid) == 0)
        #expect(pid == getpid() && uid == getuid() && gid == getgid())
        #expect(countersign_peer_credentials(-1, &pid, &uid, &gid) == -1)
    }

    @Test func aStartedProgramHasTheDescriptorsThatItIsGiven() throws {
        var ends: [Int32] = [-1, -1]
        // A child process would inherit both.
        #expect(pipe(&ends) == 0)
        let script = "readlink /proc/$$/fd/0 /proc/$$/fd/2; [ -e /proc/$$/fd/\(ends[0]) ] || echo closed"
        let texts: [String] = ["sh", "-c", script]
        // The strings live until after the start, which copies them.
        var words: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid = pid_t()
        #expect(countersign_spawn(&pid, "sh", &words, environ, [-1, ends[1], -1], 3, 0) == 0)
        close(ends[1])
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while true {
            // At most the array's own length is written into it.
            let count = read(ends[0], &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        close(ends[0])
        #expect(waitpid(pid, nil, 0) == pid)
        #expect(String(decoding: text, as: UTF8.self) == "/dev/null\n/dev/null\nclosed\n")
        // The second where a folder on the path is closed to this user.
        let refusal = countersign_spawn(&pid, "no-such-program", &words, environ, [], 0, 0)
        #expect([ENOENT, EACCES].contains(refusal))
    }

    @Test func bootTimeIsThatOfTheClock() {
        var now = timespec()
        #expect(clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        let seconds = countersign_boot_seconds()
        #expect(seconds == Int64(now.tv_sec) || seconds == Int64(now.tv_sec) + 1)
    }

    @Test(arguments: [16, 100, 5000, 300_000], [1, 60, 4000, 1_000_000])
    func blocksKeepTheirContentWhereFreedMemoryIsWiped(_ before: Int, _ after: Int) throws {
        countersign_wipe_freed_memory()
        var block = try #require(malloc(before))
        memset(block, 7, before)
        block = try #require(realloc(block, after))
        let kept = min(before, after)
        #expect(UnsafeRawBufferPointer(start: block, count: kept).allSatisfy { $0 == 7 })
        memset(block, 8, after)
        free(realloc(nil, 64))
        free(block)
        free(nil)
    }

    /// The keys of 200 connections in use fit into the memory that may be locked by default (8 MiB), and every page is
    /// locked. This runs in a process of its own, since OpenSSL accepts memory functions only before it has allocated
    /// memory.
    @Test func theKeysOf200ConnectionsFitIntoLockedMemory() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 8 << 20, rlim_max: 8 << 20)
            // RLIMIT_MEMLOCK (getrlimit(2)), which Glibc's module does not export.
            #expect(setrlimit(__rlimit_resource_t(8), &limit) == 0)
            try ProcessHardening.apply()
            let stored = try RSAPrivateKey.generate().pkcs8()
            let keys = try (0..<200).map { _ in try RSAPrivateKey(pkcs8: stored) }
            for key in keys {
                let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
                let block = try RSAPublicKey(pem: key.publicKeyPEM).encrypt(nothing)
                #expect(try key.sign([1]).count == 256)
                #expect(try key.decrypt(block).count == 0)
            }
            let heap = countersign_locked_heap_state()
            #expect(heap.count > 0 && heap.locked == heap.count)
            let pages = try LockedPages.measure()
            #expect(pages.unlocked == 0 && pages.dumped == 0)
            #expect(try #require(pages.roomForKeys) > 200)
            withExtendedLifetime(keys) {}
        }
    }

    /// When less memory may be locked, keys still work, `LockedBytes` are still locked, and the unlocked memory is
    /// reported.
    @Test func whatCannotBeLockedIsTold() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 128 << 10, rlim_max: 128 << 10)
            #expect(setrlimit(__rlimit_resource_t(8), &limit) == 0)
            try ProcessHardening.apply()
            let key = try RSAPrivateKey.generate()
            #expect(try RSAPublicKey(pem: key.publicKeyPEM).verify(key.sign([1]), of: [1]))
            let pages = try LockedPages.measure()
            #expect(pages.unlocked > 0 && pages.unlocked < pages.bytes && pages.dumped == 0)
            #expect(pages.roomForKeys == 0)
        }
    }

    @Test func memoryFunctionsKeepContentAndWipe() throws {
        let block = try #require(countersign_malloc(100, nil, 0))
        memset(block, 7, 100)
        let moved = try #require(countersign_realloc(block, 5000, nil, 0))
        #expect(UnsafeRawBufferPointer(start: moved, count: 100).allSatisfy { $0 == 7 })
        let shrunk = try #require(countersign_realloc(moved, 10, nil, 0))
        #expect(UnsafeRawBufferPointer(start: shrunk, count: 10).allSatisfy { $0 == 7 })
        countersign_free(shrunk, nil, 0)
        countersign_free(nil, nil, 0)
        let wiped = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        defer { wiped.deallocate() }
        memset(wiped, 7, 64)
        countersign_wipe(wiped, 63)
        #expect(UnsafeRawBufferPointer(start: wiped, count: 64).map { $0 } == [UInt8](repeating: 0, count: 63) + [7])
    }
}
