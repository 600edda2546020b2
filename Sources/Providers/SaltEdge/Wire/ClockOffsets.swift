import Basics
import Synchronization

/// How far the clock of each bank is from ours, in seconds, as learnt from answers `SignatureExpired` (saltedge-v1
/// section 6.3).
final class ClockOffsets: Sendable {
    private let offsets = Mutex<[String: Int]>([:])

    subscript(_ bank: WebAddress) -> Int {
        get { offsets.withLock { $0[bank.origin] ?? 0 } }
        set { offsets.withLock { $0[bank.origin] = newValue } }
    }
}
