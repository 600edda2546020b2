import SessionModel
import Sessions

/// The steps of handing out one token. `HandOutRules.decision` alone judges who may have it; this says which step follows from each of its
/// decisions, and remembers the questions that the person was asked already. A value without I/O.
struct HandOut {
    enum Step {
        /// Hand it out, by this grant; the grant is nil for the person.
        case give(TokenChoice, by: ProgramGrant?)
        /// Ask for the PIN, then decide anew: a lock may have come, or the grant may have gone.
        case askForPIN(TokenChoice, ProgramGrant)
        /// Ask the person to allow one of these, then decide anew.
        case askForGrant([TokenChoice])
        case refuse(SessionError)
        /// Refuse after the usual delay, so that the program learns nothing from it.
        case refuseLate
        /// The session must be signed in to again.
        case signedOut(SignIn, SessionError)
    }

    /// How many seconds the person has to allow it.
    private let wait: Int64
    /// The refusal, at once, where nothing fits, for a program that has a grant.
    private var toKnown: SessionError?
    private var hasAsked = false
    /// The grant for which the PIN was asked for.
    private var proved: String?
    /// Whether the person closed the question for the PIN, now or lately.
    private var isClosed = false

    init(wait: Int64, toKnown: SessionError? = nil) {
        self.wait = wait
        self.toKnown = toKnown
    }

    /// Throws `SessionError` if the person cannot allow the missing part.
    mutating func next(after decision: TokenDecision) throws -> Step {
        switch decision {
        case .yes(let choice, let grant): return .give(choice, by: grant)
        case .afterPIN where isClosed: return .refuseLate
        case .afterPIN(let choice, let grant) where proved == grant.id: return .give(choice, by: grant)
        case .afterPIN(let choice, let grant):
            guard wait > 0 else { return .refuse(.needsWait) }
            proved = grant.id
            return .askForPIN(choice, grant)
        case .needsGrant(let choices):
            guard !hasAsked else { return .refuse(.notGranted) }
            for choice in choices { try choice.session.demand(choice.aim) }
            hasAsked = true
            return .askForGrant(choices)
        case .nothing(let isKnown):
            // A program without a grant gets the same answer after the same delay whether there is such a session or not.
            if let toKnown, isKnown { return .refuse(toKnown) }
            return hasAsked ? .refuse(.notGranted) : .refuseLate
        case .locked: return .refuse(.notAtHand)
        case .signedOut(let choice, let error): return .signedOut(choice.session, error)
        }
    }

    /// The person typed no PIN.
    mutating func closed() { isClosed = true }

    /// The token turned out to need more. The person may be asked for that, too, but types no PIN twice for one grant.
    mutating func widen() { (toKnown, hasAsked) = (nil, false) }

    /// The choice and the grant if the token can be handed out now: without a question, and without a note of the grant's first token.
    static func ready(_ decision: TokenDecision) -> (choice: TokenChoice, grant: ProgramGrant?)? {
        guard case .yes(let choice, let grant) = decision, grant == nil || grant?.lastUsedAt != nil else { return nil }
        return (choice, grant)
    }

    /// Why a token that a grant allowed before the wait may not be handed out after it; nil if it still may.
    static func loss(_ decision: TokenDecision) -> SessionError? {
        switch decision {
        case .yes, .afterPIN: nil
        case .locked: .notAtHand
        case .needsGrant, .nothing, .signedOut: .notGranted
        }
    }
}
