import Basics
import Synchronization

/// How far each bank's clock is from ours, in seconds, where a `SignatureExpired` told (saltedge-v1 section 6.3).
final class ClockOffsets: Sendable {
    private let offsets = Mutex<[String: Int]>([:])

    subscript(_ bank: WebAddress) -> Int {
        get { offsets.withLock { $0[bank.origin] ?? 0 } }
        set { offsets.withLock { $0[bank.origin] = newValue } }
    }
}
