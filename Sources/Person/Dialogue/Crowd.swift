public import Authenticator

/// The requests that wait at one connection, of which all may be denied at once.
public struct Crowd: Sendable, Equatable {
    public let cards: [Card]

    init(_ cards: [Card]) { self.cards = cards }

    /// The question on a terminal, below the titles of all.
    public var words: String { "Deny all \(cards.count) that wait at \(cards.first?.connection.text ?? "")?" }

    public static func == (a: Crowd, b: Crowd) -> Bool {
        a.cards.elementsEqual(b.cards) { $0.reference == $1.reference && $0.fingerprint == $1.fingerprint }
    }
}
