import Glibc

/// A process that gets none of our descriptors but its input and output, and no blocked signal.
///
/// Not Foundation's `Process`: its children inherit every descriptor and the blocked signals of the calling thread, so
/// an exit test beside it waits until they have ended, and SIGTERM does not end them.
struct Child: ~Copyable {
    struct Failed: Error { var code: Int32 }

    let pid: pid_t
    private let input: Int32
    private let output: Int32

    init(_ command: [String]) throws {
        let (childInput, ours) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        defer {
            close(childInput)
            close(childOutput)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, childInput, 0)
        posix_spawn_file_actions_adddup2(&actions, childOutput, 1)
        // A descriptor that is not open is ignored.
        for descriptor in Int32(3)..<512 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Copies that live until posix_spawnp has returned, with the nil that ends the list.
        let words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, command[0], &actions, &attributes, words, environ)
        guard code == 0 else { throw Failed(code: code) }
        (self.pid, self.input, self.output) = (pid, ours, output)
    }

    deinit {
        close(input)
        close(output)
    }

    /// Reads its output up to a line feed or the end.
    func readLine() -> String { read { $0 == UInt8(ascii: "\n") } }

    /// Reads its output until it closes it.
    func readToEnd() -> String { read { _ in false } }

    /// Waits for its end and returns its exit code, or 128 plus the signal.
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }

    private func read(until isEnd: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        // One byte at a time into `byte`, which lives through the call.
        while Glibc.read(output, &byte, 1) == 1, !isEnd(byte) { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func pipe() throws -> (reads: Int32, writes: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw Failed(code: errno) }
        return (ends[0], ends[1])
    }
}
