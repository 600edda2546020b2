import Glibc
import Pinentry
import Synchronization

/// Takes back an open question on the terminal or in a pinentry, from any thread: the caller gets `cancelled`, and
/// input typed so far is dropped.
final class QuestionRecall: Sendable {
    private struct State {
        var isTaken = false
        var hasCutTyping = false
        var end: ContinuousClock.Instant?
        var pinentry: PinentryCancellation?
    }
    private let state = Mutex(State())
    private let pipe: Pipe

    /// Throws if the system has no pipe left.
    init() throws {
        pipe = try Pipe()
    }

    /// Whether questions are taken back until `renew`.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// Whether a question on the terminal was taken back since `renew`; the person may still be typing the answer.
    var hasCutTyping: Bool { state.withLock { $0.hasCutTyping } }

    /// Ends the open question, and all later ones until `renew`.
    func take() {
        state.withLock { state in
            state.isTaken = true
            _ = write(pipe.writer, "t", 1)
            state.pinentry?.cancel()
        }
    }

    /// Allows questions again. On the terminal, they are taken back at `end`.
    func renew(until end: ContinuousClock.Instant? = nil) {
        state.withLock { state in
            state.isTaken = false
            state.hasCutTyping = false
            state.end = end
            var byte: UInt8 = 0
            // One byte at a time into a variable of one byte.
            while read(pipe.reader, &byte, 1) == 1 {}
        }
    }

    /// Waits until the terminal, or `other`, has input. Returns false if the question was taken back; typed input is
    /// then dropped.
    func awaitInput(of tty: Int32, orOf other: Int32 = -1) -> Bool {
        let end = state.withLock { $0.end }
        while !isTaken {
            if let end, end <= .now {
                take()
                break
            }
            var sources = [
                pollfd(fd: tty, events: Int16(POLLIN), revents: 0),
                pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            // The array is lent for the call, with its own count. Polls every second if there is an end, since timeouts
            // stand still while the machine sleeps.
            if poll(&sources, nfds_t(sources.count), end == nil ? -1 : 1000) > 0, sources[1].revents == 0 {
                return true
            }
        }
        tcflush(tty, TCIFLUSH)
        state.withLock { $0.hasCutTyping = true }
        return false
    }

    /// Asks with a pinentry, which is killed if the question is taken back.
    func asking<R>(_ pinentry: PinentryCancellation, _ body: () throws -> R) rethrows -> R {
        state.withLock { state in
            state.pinentry = pinentry
            if state.isTaken { pinentry.cancel() }
        }
        defer { state.withLock { $0.pinentry = nil } }
        return try body()
    }
}
