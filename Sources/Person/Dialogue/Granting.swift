/// The act that a PIN allows after its card was shown, other than a decision.
package enum Granting: Sendable, Equatable {
    /// Tokens for a program.
    case tokens(GrantCard)
    /// One token, by a grant that takes the PIN each time.
    case use(GrantCard)
    /// Tokens for a service.
    case site([Fact])
    /// More time in a session.
    case stay([Fact])

    /// The card. Terminal and windows draw the same facts.
    package var facts: [Fact] {
        switch self {
        case .tokens(let card), .use(let card): card.facts
        case .site(let facts), .stay(let facts): facts
        }
    }

    /// The facts of most weight, for a window with room for no more.
    package var brief: [Fact] {
        switch self {
        case .tokens(let card): [card.program, card.aim]
        case .use(let card): [card.program, card.session, card.aim]
        case .site(let facts), .stay(let facts): Array(facts.prefix(2))
        }
    }

    /// The question for the PIN on a terminal, and of a window its headline and the button of a yes.
    package var words: (prompt: String, headline: StaticString, ok: StaticString) {
        switch self {
        case .tokens: ("PIN to allow", "Allow this program?", "Allow")
        case .use: ("PIN to allow", "Give this program a token?", "Yes")
        case .site: ("PIN to allow", "Send tokens to this service?", "Send tokens")
        case .stay: ("PIN to stay signed in for longer", "Stay signed in for longer?", "Yes")
        }
    }
}
