package import SessionModel

/// The answer to a caller who wants a token.
package enum TokenDecision: Sendable {
    /// The token of this choice, by this grant; the grant is nil for the person.
    case yes(TokenChoice, by: ProgramGrant?)
    /// After the PIN.
    case afterPIN(TokenChoice, by: ProgramGrant)
    /// No grant covers any of these: the person can be asked for one. The program may mean any of them.
    case needsGrant([TokenChoice])
    /// No session has such a token. `isKnown`: whether the program has a grant, so that it may hear this.
    case nothing(isKnown: Bool)
    /// The PIN must be entered first.
    case locked
    /// The session must be signed in to again first, for this reason.
    case signedOut(TokenChoice, SessionError)
}

extension HandOutRules {
    /// Decides which token a caller may have. Decide anew after each wait: the person may have locked the agent or
    /// revoked the grant.
    ///
    /// - Parameters:
    ///   - find: chooses among sessions, as for `TokenSearch`, which throws its errors.
    ///   - whyEnded: the reason why nothing comes of a session any more; nil if something does. Called as `hasEnded` of `verdict`.
    package func decision(
        on asker: TokenAsker, among sessions: [SignIn], whyEnded: (TokenChoice) throws -> SessionError? = { _ in nil },
        find: ([SignIn]) throws -> TokenChoice
    ) throws -> TokenDecision {
        var choice: TokenChoice
        switch try TokenSearch(sessions, grants).found(for: asker, find) {
        case .one(let found): choice = found
        case .several(let fitting): return readiness == .atHand ? .needsGrant(fitting) : .locked
        case .nothing: return readiness == .atHand ? .nothing(isKnown: isKnown(asker)) : .locked
        }
        var ended: SessionError?
        let found = choice
        let verdict = try verdict(on: asker, wanting: choice.aim, choice.kind, of: choice.session) {
            ended = try whyEnded(found)
            return ended != nil
        }
        switch verdict {
        case .yes(let aim, let grant):
            choice.aim = aim
            return .yes(choice, by: grant)
        case .afterPIN(let aim, let grant):
            choice.aim = aim
            return .afterPIN(choice, by: grant)
        case .needsGrant: return .needsGrant([choice])
        case .locked: return .locked
        case .signedOut: return .signedOut(choice, ended ?? .notGranted)
        }
    }

    private func isKnown(_ asker: TokenAsker) -> Bool {
        guard case .program(let program) = asker else { return false }
        return grants.contains { $0.program == program && !$0.isOver(at: now) }
    }
}
