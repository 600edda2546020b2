import FoundationEssentials
import Synchronization

/// The bank's time: the machine's, shifted by what the admin API set.
final class BankClock: Sendable {
    private let offset = Mutex(0.0)

    /// Unix seconds.
    var now: Double { Date().timeIntervalSince1970 + offset.withLock { $0 } }

    func shift(to seconds: Double) { offset.withLock { $0 = seconds } }
}
