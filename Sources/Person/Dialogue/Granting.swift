/// The act that a PIN allows after its card was shown, other than a decision.
package enum Granting: Sendable, Equatable {
    /// Tokens for a program.
    case tokens(GrantCard)
    /// Tokens for a service.
    case site([Fact])
    /// More time in a session.
    case stay([Fact])

    /// The card. Terminal and windows draw the same facts.
    package var facts: [Fact] {
        switch self {
        case .tokens(let card): card.facts
        case .site(let facts), .stay(let facts): facts
        }
    }

    /// The facts of most weight, for a window with room for no more.
    package var brief: [Fact] {
        switch self {
        case .tokens(let card): [card.program, card.aim]
        case .site(let facts), .stay(let facts): Array(facts.prefix(2))
        }
    }

    /// The question for the PIN on a terminal.
    package var words: String {
        switch self {
        case .tokens, .site: "PIN to allow"
        case .stay: "PIN to stay signed in for longer"
        }
    }

    /// The same in a window.
    package var headline: StaticString {
        switch self {
        case .tokens: "Allow this program?"
        case .site: "Send tokens to this service?"
        case .stay: "Stay signed in for longer?"
        }
    }

    /// The button of a yes.
    package var ok: StaticString {
        switch self {
        case .tokens: "Allow"
        case .site: "Send tokens"
        case .stay: "Yes"
        }
    }
}
