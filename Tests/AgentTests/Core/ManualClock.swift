import Basics
import FoundationEssentials
import Synchronization

/// A clock that stands still until a test lets time pass. The wall clock and the moments advance together.
final class ManualClock: Sendable {
    private struct State {
        var passed = Duration.zero
        var next = 0
        var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, any Error>)] = [:]
        /// The sleeps that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    static let start = Date(timeIntervalSince1970: 1_893_456_000)
    private let origin = ContinuousClock.now
    private let state = Mutex(State())

    var clock: Clock {
        Clock(
            now: { self.now }, boot: { nil }, moment: { self.origin + self.passed },
            sleepUntil: { try await self.sleep(until: self.origin.duration(to: $0)) })
    }

    var passed: Duration { state.withLock { $0.passed } }
    var now: Date { Self.start.addingTimeInterval(passed / .seconds(1)) }
    /// How many tasks sleep.
    var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// Lets time pass like a machine that slept: every sleeper that is due wakes at the end.
    func pass(_ duration: Duration) {
        let due = state.withLock { state in
            state.passed += duration
            let due = state.sleepers.filter { $0.value.until <= state.passed }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.map(\.wake)
        }
        for wake in due { wake.resume() }
    }

    private func sleep(until moment: Duration) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let isCancelled = state.withLock { state -> Bool? in
                    if state.cancelled.remove(number) != nil { return true }
                    if moment <= state.passed { return false }
                    state.sleepers[number] = (moment, wake)
                    return nil
                }
                switch isCancelled {
                case true?: wake.resume(throwing: CancellationError())
                case false?: wake.resume()
                case nil: break
                }
            }
        } onCancel: {
            let wake = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper?.wake
            }
            wake?.resume(throwing: CancellationError())
        }
    }
}
