internal import Glibc
internal import Synchronization

/// Takes one question back from whichever thread: its pinentry is killed, and whoever asks has a `PinentryError`
/// `cancelled`.
public final class PinentryCancellation: Sendable {
    private struct State {
        var isCancelled = false
        /// Our end of the line, while it is surely open.
        var socket: Int32?
    }
    private let state = Mutex(State())

    public init() {}

    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Good also before the question is asked, and no error after it.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Wakes whoever reads there. The number is still ours, for `end` waits for this lock.
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Throws when it is cancelled already.
    func begin(on socket: Int32) throws(PinentryError) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled { state.socket = socket }
            return state.isCancelled
        }
        if isCancelled { throw .takenBack }
    }

    /// To be called before the socket is closed.
    func end() { state.withLock { $0.socket = nil } }
}

extension PinentryError {
    static let takenBack = PinentryError(.cancelled, "the question was taken back")
}
