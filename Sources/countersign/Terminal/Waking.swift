import Agent
import CTerminal
import Dispatch
import Glibc

/// Waits for whatever comes first: a key, a word from another task, a terminal of another size, a moment.
final class Waking: Sendable {
    private let pipe: Pipe
    private let queue = DispatchQueue(label: "waking")

    /// Throws when no pipe can be had.
    init() throws {
        pipe = try Pipe()
    }

    /// The handler of SIGWINCH writes to the pipe.
    func tellResizes() { _ = countersign_terminal_tell_resizes(pipe.writer) }

    /// Ends the wait. A full pipe wakes as well.
    func wake() { _ = write(pipe.writer, "w", 1) }

    /// Waits. Returns the key that was pressed; nil for all else. An escape sequence (an arrow, say) is no key. Without keys
    /// it is standard output that is looked at: a reader that has gone away counts as ctrl-c, as does a terminal.
    func wait(forKeys: Bool, until end: ContinuousClock.Instant) async -> UInt8? {
        // Waiting blocks, so it has a thread of its own.
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.block(forKeys, until: end)) }
        }
    }

    private func block(_ forKeys: Bool, until end: ContinuousClock.Instant) -> UInt8? {
        let left = ContinuousClock.now.duration(to: end).components
        let milliseconds = Int32(clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
        var sources = [
            pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
            forKeys
                ? pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                : pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        // The array is lent for the call, with its own count.
        guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { return nil }
        if sources[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(pipe.reader, &bytes, bytes.count) > 0 {}
        }
        guard sources[1].revents != 0 else { return nil }
        guard forKeys, let key = Self.byte() else { return Self.interrupt }
        guard key == 0x1B else { return key }
        var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&more, 1, 0) > 0, Self.byte() != nil {}
        return nil
    }

    /// ctrl-c
    static let interrupt: UInt8 = 3

    private static func byte() -> UInt8? {
        var byte: UInt8 = 0
        // One byte into a local of one byte.
        return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
    }
}
