public import Basics
import FoundationEssentials

extension Card {
    /// Waits until it has expired. False when the task was cancelled before.
    public func awaitExpiry(by clock: Clock) async -> Bool {
        while !Task.isCancelled, !isExpired(at: clock.now()) {
            // Never long: a timer may stand still while the machine sleeps.
            try? await Task.sleep(for: .seconds(min(max(expiresAt.timeIntervalSince(clock.now()), 0.01), 15)))
        }
        return !Task.isCancelled
    }
}
