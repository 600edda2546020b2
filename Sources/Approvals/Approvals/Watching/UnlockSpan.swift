/// How long an unlock lasts: five minutes without use (RTS Art. 4(3)(d)). It knows no clock.
public struct UnlockSpan: Sendable {
    public typealias Moment = ContinuousClock.Instant

    static let limit = Duration.seconds(300)

    private var lastUse: Moment

    public init(from now: Moment) {
        lastUse = now
    }

    /// A key was pressed, or the PIN was entered. Has no effect after the end.
    public mutating func use(at now: Moment) {
        if !isOver(at: now) { lastUse = now }
    }

    public func isOver(at now: Moment) -> Bool { end <= now }

    public var end: Moment { lastUse + Self.limit }
}
