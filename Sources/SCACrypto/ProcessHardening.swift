internal import COpenSSL
internal import CPlatform
internal import Glibc

/// Keeps other processes of the same user, core dumps and leftovers in freed memory away from secrets.
public enum ProcessHardening {
    /// Not dumpable (which also forbids ptrace and /proc/PID/mem to processes without CAP_SYS_PTRACE), core limit 0 for
    /// good, no backtrace after a crash (the Swift runtime would hand this process's memory to another program for it), and
    /// OpenSSL works in locked memory that is wiped when it is freed: keys in use, and the copies that it makes of them.
    /// Throws `failed`. Call it first: before any secret is read, and before OpenSSL is used, since later its memory functions
    /// cannot be changed any more.
    public static func apply() throws {
        // A standard descriptor that the caller closed would be given to the next file or socket, and talk would go there.
        // The lowest free number is taken, so each is filled in turn.
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            guard open("/dev/null", O_RDWR) == descriptor else {
                throw CryptoError(.failed, "a standard descriptor is closed and cannot be filled")
            }
        }
        goByName()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Reads the struct during the call.
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, countersign_set_dumpable(0) == 0,
            countersign_dumpable() == 0
        else { throw CryptoError(.failed, "the process cannot be protected from dumps and tracing") }
        countersign_crash_plainly()
        // C functions that live as long as the process. Refused, without harm, when OpenSSL has memory already.
        CRYPTO_set_mem_functions(countersign_malloc, countersign_realloc, countersign_free)
    }

    /// The process's name is ours whatever its file is called: by it the agent knows its command line tool, whose file it cannot
    /// see. Of the whole process, not of this thread alone as by prctl(2); possible while it is still dumpable. Where it fails the
    /// name is the file's.
    private static func goByName() {
        let file = open("/proc/self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let name = Array("countersign".utf8)
        // The array lives through the call and its own count is given.
        _ = write(file, name, name.count)
        close(file)
    }
}
