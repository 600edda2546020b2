import Display
package import Basics
package import FoundationEssentials

extension Card {
    /// Waits until the card has expired. Returns false if the task was cancelled before.
    package func awaitExpiry(by clock: Clock) async -> Bool {
        while !Task.isCancelled, !isExpired(at: clock.now()) {
            // At most 15 seconds, because a timer may stand still while the machine sleeps.
            let left = expiresAt.map { max($0.timeIntervalSince(clock.now()), 0.01) } ?? 15
            try? await clock.sleep(for: .seconds(min(left, 15)))
        }
        return !Task.isCancelled
    }

    /// How long it can still be approved, in words: `in 4:55`, `expired`. Nil without an expiry.
    package func timeLeft(at now: Date) -> String? { expiresAt.map { RelativeTime.until($0, from: now) } }

    /// How long ago it came, which shows the urgency of a card without an expiry: `seen 1:10 ago`. Nil with an expiry.
    package func age(at now: Date) -> String? {
        expiresAt == nil ? createdAt.map { "seen " + RelativeTime.since($0, to: now) } : nil
    }

    /// Orders cards by their expiry; those without one come last.
    package func expires(before other: Card) -> Bool {
        (expiresAt ?? .distantFuture, reference) < (other.expiresAt ?? .distantFuture, other.reference)
    }
}
