internal import COpenSSL
internal import CPlatform
internal import Glibc

/// Keeps other processes of the same user, core dumps and leftovers in freed memory away from secrets.
package enum ProcessHardening {
    /// Protects this process; throws `failed` when that is impossible. Call it first: before any secret is read, and
    /// before OpenSSL is used, since its memory functions cannot be changed later.
    ///
    /// - The process is not dumpable, which also forbids ptrace and /proc/PID/mem to processes without CAP_SYS_PTRACE.
    /// - The core limit is 0 and cannot be raised again.
    /// - A crash prints no backtrace: the Swift runtime would let another program read this process's memory for it.
    /// - OpenSSL works in locked memory that is wiped when it is freed, so that keys in use and their copies are
    ///   covered.
    package static func apply() throws {
        // If the caller closed a standard descriptor, the next file or socket would get its number, and output would go
        // there. `open` takes the lowest free number, so each closed one is filled in turn.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            guard open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR) == descriptor else {
                throw CryptoError.failed("a standard descriptor is closed and cannot be filled")
            }
        }
        goByName()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Reads the struct during the call.
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, countersign_set_dumpable(0) == 0,
            countersign_dumpable() == 0
        else { throw CryptoError.failed("the process cannot be protected from dumps and tracing") }
        countersign_crash_plainly()
        // C functions, valid as long as the process lives. OpenSSL refuses them, without harm, once it has allocated
        // memory.
        CRYPTO_set_mem_functions(countersign_malloc, countersign_realloc, countersign_free)
    }

    /// Sets the process's name to `countersign`, also if its file has another name. By this name the agent recognises
    /// the command line tool, whose file it cannot see. prctl(2) would name this thread only. It must happen while the
    /// process is still dumpable. When it fails, the process keeps the name of its file.
    private static func goByName() {
        let file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let name = Array("countersign".utf8)
        // The array lives through the call and its own count is given.
        _ = write(file, name, name.count)
        close(file)
    }
}
