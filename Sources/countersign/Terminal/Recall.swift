import Glibc
import Pinentry
import Synchronization

/// Takes a question back that is open on the terminal or at a pinentry, from whichever thread: who waits for its answer is told
/// that it was cancelled, and what was typed so far goes nowhere.
final class Recall: Sendable {
    private struct State {
        var isTaken = false
        var hasCutTyping = false
        var end: ContinuousClock.Instant?
        var pinentry: PinentryCancellation?
    }
    private let state = Mutex(State())
    private let pipe: Pipe

    /// Throws when no pipe can be had.
    init() throws {
        pipe = try Pipe()
    }

    /// Whether questions are taken back until `renew`.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Whether a question of the terminal was taken back since `renew`, which a person may go on answering.
    var hasCutTyping: Bool { state.withLock { $0.hasCutTyping } }

    /// Ends the question that is open; the next ones are not asked.
    func take() {
        state.withLock { state in
            state.isTaken = true
            _ = write(pipe.writer, "t", 1)
            state.pinentry?.cancel()
        }
    }

    /// From now on questions are asked again; on the terminal an answer is awaited until `end`.
    func renew(until end: ContinuousClock.Instant? = nil) {
        state.withLock { state in
            state.isTaken = false
            state.hasCutTyping = false
            state.end = end
            var byte: UInt8 = 0
            // One byte at a time into a local of one byte.
            while read(pipe.reader, &byte, 1) == 1 {}
        }
    }

    /// Waits until a terminal has something to read. False when the question was taken back: then what was typed is dropped.
    func awaitInput(of tty: Int32) -> Bool {
        let end = state.withLock { $0.end }
        while !isTaken {
            if let end, end <= .now {
                take()
                break
            }
            var sources = [
                pollfd(fd: tty, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
            ]
            // The array is lent for the call, with its own count. While the machine sleeps no timeout comes nearer.
            if poll(&sources, nfds_t(sources.count), end == nil ? -1 : 1000) > 0, sources[1].revents == 0 {
                return true
            }
        }
        tcflush(tty, TCIFLUSH)
        state.withLock { $0.hasCutTyping = true }
        return false
    }

    /// Asks at a pinentry, which is killed when the question is taken back.
    func asking<R>(_ pinentry: PinentryCancellation, _ body: () throws -> R) rethrows -> R {
        state.withLock { state in
            state.pinentry = pinentry
            if state.isTaken { pinentry.cancel() }
        }
        defer { state.withLock { $0.pinentry = nil } }
        return try body()
    }
}
