import Synchronization

/// Goes up once.
package final class Latch: Sendable {
    private let isUp = Mutex(false)

    package init() {}

    package var value: Bool { isUp.withLock { $0 } }
    package func raise() { isUp.withLock { $0 = true } }
}
