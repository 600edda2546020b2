internal import Glibc
internal import Synchronization

/// Takes one question back, from any thread: its pinentry is killed, and the call that asks throws `PinentryError`
/// `cancelled`.
package final class PinentryCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// Our end of the connection, as long as it is certainly open.
        var socket: Int32?
    }
    private let state = Mutex(State())

    package init() {}

    /// Whether `cancel` was called.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Takes the question back. It may be called before the question is asked, and does nothing after the answer.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Wakes the thread that reads from the socket. The descriptor is still open, since `end` waits for this
            // lock.
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Names the socket of the question. Throws when `cancel` was called already.
    func begin(on socket: Int32) throws(PinentryError) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.socket = socket }
            return state.isCancelled
        }
        if isCancelled { throw .cancelled }
    }

    /// Must be called before the socket is closed.
    func end() { state.withLock { $0.socket = nil } }
}
