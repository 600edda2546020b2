import AsyncHTTPClient
import NIOCore
import Synchronization

/// Whether a call may have left this machine.
final class CallProgress: Sendable {
    private let sent = Atomic(false)

    var isSent: Bool {
        get { sent.load(ordering: .acquiring) }
        set { sent.store(newValue, ordering: .releasing) }
    }
}

/// A request body that notes when the client takes it, which is when a connection stands: a request whose body was never
/// taken cannot have been carried out.
struct WatchedBody: AsyncSequence, Sendable {
    let bytes: ByteBuffer
    let progress: CallProgress

    struct AsyncIterator: AsyncIteratorProtocol {
        var bytes: ByteBuffer?
        let progress: CallProgress

        mutating func next() async -> ByteBuffer? {
            progress.isSent = true
            defer { bytes = nil }
            return bytes
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: bytes, progress: progress) }
}
