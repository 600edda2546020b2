package import Approvals

/// The requests that wait at one connection, of which all may be denied at once.
package struct Crowd: Sendable, Equatable {
    package let cards: [Card]

    init(_ cards: [Card]) { self.cards = cards }

    /// The question on a terminal, below the titles of all.
    package var words: String { "Deny all \(cards.count) that wait at \(cards.first?.connection.text ?? "")?" }

    package static func == (a: Crowd, b: Crowd) -> Bool {
        a.cards.elementsEqual(b.cards) { $0.reference == $1.reference && $0.fingerprint == $1.fingerprint }
    }
}
