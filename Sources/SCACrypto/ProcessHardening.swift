internal import CPlatform
internal import Glibc

/// Keeps other processes of the same user, and core dumps, away from this one's memory.
public enum ProcessHardening {
    /// Not dumpable (which also forbids ptrace and /proc/PID/mem to processes without CAP_SYS_PTRACE), core limit 0 for
    /// good. Throws `failed`. Call it first, before any secret is read.
    public static func apply() throws {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        // Reads the struct during the call.
        guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, countersign_set_dumpable(0) == 0,
            countersign_dumpable() == 0
        else { throw CryptoError(.failed, "the process cannot be protected from dumps and tracing") }
    }
}
