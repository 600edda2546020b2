/// How long an unlock lasts: five minutes without use (RTS Art. 4(3)(d)). It knows no clock.
package struct UnlockSpan: Sendable {
    package typealias Moment = ContinuousClock.Instant

    static let limit = Duration.seconds(300)

    private var lastUse: Moment

    package init(from now: Moment) {
        lastUse = now
    }

    /// A key was pressed, or the PIN was entered. Has no effect after the end.
    package mutating func use(at now: Moment) {
        if !isOver(at: now) { lastUse = now }
    }

    package func isOver(at now: Moment) -> Bool { end <= now }

    package var end: Moment { lastUse + Self.limit }
}
