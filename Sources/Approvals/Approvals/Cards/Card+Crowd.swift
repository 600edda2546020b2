import Display

/// Somebody who knows a password may begin login after login, until the person approves one to have peace.
extension Card {
    /// From so many requests on, the person is warned and offered to deny them all.
    package static let tooManyAtOnce = 3

    /// The warning that too many requests wait at once; nil if not.
    package var crowdWarning: String? {
        guard let waitingAtOnce, waitingAtOnce >= Self.tooManyAtOnce else { return nil }
        return "\(waitingAtOnce) requests wait at \(connection.text) at once; somebody may be trying to tire you out"
    }

    /// The same card among the cards that wait now, counted anew.
    package func counted(among cards: some Collection<Card>) -> Card {
        var card = self
        if waitingAtOnce != nil { card.waitingAtOnce = cards.filter(isBeside).count }
        return card
    }

    /// Whether both are of one connection at which usually one request waits.
    package func isBeside(_ other: Card) -> Bool {
        waitingAtOnce != nil && other.waitingAtOnce != nil && connection == other.connection
    }
}
