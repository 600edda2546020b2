package import FoundationEssentials
package import SessionModel

/// Decides whether a person or a program gets a token (oauth section 5.2). A value without I/O.
package struct HandOutRules: Sendable {
    /// How far the sessions can be reached. While the agent is shut nothing can be handed out at all.
    package enum Readiness: Sendable, CaseIterable {
        /// The PIN was entered, and the person was here since.
        case atHand
        /// The person was away for too long, or the screen is locked: only grants that allow it hand out tokens then.
        case asleep
    }

    enum Verdict: Sendable, Equatable {
        /// A token for this aim, by this grant; the grant is nil if the person asks.
        case yes(TokenAim, by: ProgramGrant?)
        /// After the PIN.
        case afterPIN(TokenAim, by: ProgramGrant)
        /// No grant covers it: the person can be asked for one.
        case needsGrant
        /// The PIN must be entered first.
        case locked
        /// Nothing comes of the session before it is signed in to again.
        case signedOut
    }

    let grants: [ProgramGrant]
    let readiness: Readiness
    let now: Date

    package init(_ grants: [ProgramGrant], _ readiness: Readiness, at now: Date) {
        self.grants = grants
        self.readiness = readiness
        self.now = now
    }

    /// `aim`: the purpose of the access token. `hasEnded`: whether the session must be signed in to again first. It is
    /// called before the person would be asked or the program would wait, so that neither is in vain; otherwise
    /// `TokenKeeper` renews or refuses the token.
    func verdict(
        on asker: TokenAsker, wanting aim: TokenAim, _ kind: TokenKind = .access, of session: SignIn,
        hasEnded: () throws -> Bool = { false }
    ) rethrows -> Verdict {
        guard case .program(let program) = asker else { return readiness == .atHand ? .yes(aim, by: nil) : .locked }
        let all = grants.filter { $0.program == program && $0.session == session.id && !$0.isOver(at: now) }
        let verdict = verdict(by: all, wanting: aim, kind, of: session)
        switch verdict {
        case .yes, .signedOut: return verdict
        case .afterPIN, .needsGrant, .locked:
            return try !all.isEmpty && hasEnded() ? .signedOut : verdict
        }
    }

    /// `all`: the program's grants for this session.
    private func verdict(
        by all: [ProgramGrant], wanting aim: TokenAim, _ kind: TokenKind, of session: SignIn
    ) -> Verdict {
        let fitting = all.filter { $0.kinds.contains(kind) }.compactMap { grant -> (ProgramGrant, TokenAim)? in
            // An ID token has no scopes.
            kind == .id ? (grant, aim) : grant.covering(aim, of: session).map { (grant, $0) }
        }
        if let (grant, aim) = fitting.first(where: { $0.0.use == .unlocked }) { return .yes(aim, by: grant) }
        guard readiness == .atHand else { return .locked }
        if let (grant, aim) = fitting.first(where: { $0.0.use == .open }) { return .yes(aim, by: grant) }
        return fitting.first.map { .afterPIN($0.1, by: $0.0) } ?? .needsGrant
    }
}

extension ProgramGrant {
    /// The part of `aim` that this grant allows: `aim` itself, or, if `aim` asks for everything, the part of the grant
    /// that the session still has. Nil if the grant does not cover `aim`, or if nothing is left: an empty list would
    /// mean everything.
    package func covering(_ aim: TokenAim, of session: SignIn) -> TokenAim? {
        guard aim.resources.allSatisfy(resources.contains), aim.scopes.map({ $0.isSubset(of: scopes) }) ?? true else {
            return nil
        }
        var allowed = aim
        if aim.scopes == nil, !isOfAllScopes(of: session) {
            allowed.scopes = Scopes(scopes.all.filter(session.granted.contains))
        }
        if aim.resources.isEmpty, !Set(session.resources).isSubset(of: resources) {
            allowed.resources = resources.filter(session.resources.contains)
            if allowed.resources.isEmpty { return nil }
        }
        return allowed.scopes?.isEmpty == true ? nil : allowed
    }

    /// Whether a token with these scopes is within the grant, as far as the issuer named them: some issuers do not
    /// narrow a token.
    package func permits(_ granted: Scopes, of session: SignIn) -> Bool {
        isOfAllScopes(of: session) || granted.isSubset(of: scopes)
    }

    private func isOfAllScopes(of session: SignIn) -> Bool { session.granted.isSubset(of: scopes) }
}
