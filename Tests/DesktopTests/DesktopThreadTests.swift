@testable import Desktop
import Testing

@Suite struct DesktopThreadTests {
    /// A timer that is dropped while the thread ends touched the memory of its loop after that was freed.
    @Test func aTimerMayBeDroppedWhileTheThreadEnds() {
        for round in 0..<5000 {
            var thread: BusThread? = BusThread()
            let timers = (0..<8).map { _ in thread?.after(.seconds(600)) {} }
            thread = nil
            // The thread's end takes up to a tenth of a millisecond. Each round drops the timers at another moment of it.
            let moment = ContinuousClock.now + .nanoseconds(round % 200 * 500)
            while ContinuousClock.now < moment {}
            withExtendedLifetime(timers) {}
        }
    }
}
