import Glibc
import Testing

/// A child process, killed at the latest with the last reference to this object. It gets no pipe and no descriptor from
/// us: another child that inherited one would hide the end of this one.
final class Child {
    let pid: pid_t
    private var status: Int32?

    /// `program` is a path. The environment is ours with `additions`. Output is discarded.
    init(_ program: String, _ arguments: [String], adding additions: [String] = []) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var environment: [UnsafeMutablePointer<CChar>?] = additions.map { strdup($0) }
        // Each text is a copy that we free below; by then the child has its own.
        var next = environ
        while let variable = next.pointee {
            environment.append(strdup(variable))
            next += 1
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for text in environment + words { free(text) } }
        environment.append(nil)
        words.append(nil)
        var started = pid_t()
        try #require(posix_spawn(&started, program, &actions, nil, words, environment) == 0)
        pid = started
    }

    deinit { kill() }

    var isRunning: Bool {
        if status == nil {
            var found: Int32 = 0
            if waitpid(pid, &found, WNOHANG) == pid { status = found }
        }
        return status == nil
    }

    /// Sends SIGKILL and waits for the end. True when the signal ended the process.
    @discardableResult
    func kill() -> Bool {
        if status == nil {
            Glibc.kill(pid, SIGKILL)
            var found: Int32 = 0
            while waitpid(pid, &found, 0) == -1, errno == EINTR {}
            status = found
        }
        // The low seven bits of a wait status are the signal that ended the process.
        return status.map { $0 & 0x7f == SIGKILL } ?? false
    }
}
