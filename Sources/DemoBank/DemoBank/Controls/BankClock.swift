import FoundationEssentials
import Synchronization

/// The bank's clock: that of the machine, shifted by the offset that the admin API set.
final class BankClock: Sendable {
    private let offset = Mutex(0.0)

    /// Unix seconds.
    var now: Double { Date().timeIntervalSince1970 + offset.withLock { $0 } }

    func shift(to seconds: Double) { offset.withLock { $0 = seconds } }
}
