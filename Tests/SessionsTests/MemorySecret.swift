import Basics
import Synchronization

/// A secret in ordinary memory, for tests whose secrets are worthless.
final class MemorySecret: Secret {
    private let bytes: Mutex<[UInt8]>

    init(_ text: String) { bytes = Mutex(Array(text.utf8)) }

    var count: Int { bytes.withLock(\.count) }

    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        // The copy lives through the call.
        try bytes.withLock { $0 }.withUnsafeBytes(body)
    }

    func wipe() { bytes.withLock { $0 = [] } }
}
