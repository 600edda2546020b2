/// Whether a person can have read a card on a screen that scrolls. Before that, no front end takes a decision that signs its content.
///
/// Only the end of the card, on screen, counts; and nobody reads a card that stands there for less than a second. So a click that was meant
/// for the content before approves nothing.
package struct CardReading: Sendable, Equatable {
    /// From then on the card can have been read, if its end was on screen.
    package let due: ContinuousClock.Instant
    private var isEndSeen = false

    /// Begins when the card appears, and anew when its content changes.
    package init(from moment: ContinuousClock.Instant) { due = moment + Self.glance }

    /// The end of the card is on screen.
    package mutating func sawEnd() { isEndSeen = true }

    package func isRead(at moment: ContinuousClock.Instant) -> Bool { isEndSeen && moment >= due }

    package static let glance = Duration.seconds(1)
}
