import Display
public import Basics
public import FoundationEssentials

extension Card {
    /// Waits until it has expired. False when the task was cancelled before.
    public func awaitExpiry(by clock: Clock) async -> Bool {
        while !Task.isCancelled, !isExpired(at: clock.now()) {
            // Never long: a timer may stand still while the machine sleeps.
            let left = expiresAt.map { max($0.timeIntervalSince(clock.now()), 0.01) } ?? 15
            try? await clock.sleep(for: .seconds(min(left, 15)))
        }
        return !Task.isCancelled
    }

    /// How long it may still be approved, in words: `in 4:55`, `expired`. Nil where no time is told.
    public func timeLeft(at now: Date) -> String? { expiresAt.map { RelativeTime.until($0, from: now) } }

    /// Whether it stands before the other where what expires first comes first; what tells no time comes last.
    public func expires(before other: Card) -> Bool {
        (expiresAt ?? .distantFuture, reference) < (other.expiresAt ?? .distantFuture, other.reference)
    }
}
