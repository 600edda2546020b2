import Display
package import FoundationEssentials
package import Sessions

// Questions of the second job besides grants and logins.

extension Question {
    /// Whether a service gets tokens although it does not say which issuer it belongs to.
    package static func vouch(for offer: SiteOfferPayload) -> Question {
        let words = offer.unsaid
        return Question(
            [words + ". Continue?"], unasked: words + ": there is nobody to confirm it",
            headline: "Send tokens to this service?",
            [Fact("Service", DisplayText(answered: offer.offer.rule)), Fact(DisplayText(answered: words))],
            ok: "Send tokens")
    }

    /// Whether these sessions are signed out. `grants` and `sites`: those that lose tokens are named first.
    package static func signOut(
        of sessions: [SessionPayload], _ grants: [GrantPayload], _ sites: [SitePayload], localOnly: Bool
    ) -> Question {
        let lost = sessions.flatMap { session in
            let programs = grants.filter { $0.session == session.name && $0.status != .over }.map(\.program.text)
            let rules = sites.filter { $0.session == session.name }.map(\.rule)
            return losing("Programs", session, programs) + losing("Sites", session, rules)
        }
        let names = sessions.map { session in
            session.name + (session.account.map { " (\(DisplayText(answered: $0).line(within: 60)))" } ?? "")
        }
        let telling = localOnly ? "without telling the issuer" : "and tell the issuer"
        let words = "\(names.joined(separator: ", ")): sign out \(telling)? Programs get no more tokens of it."
        return Question(
            [words], above: lost, headline: "Sign out?", [Fact(DisplayText(answered: words))], ok: "Sign out")
    }

    /// The programs or sites that lose tokens, each once, in a line.
    private static func losing(_ kind: String, _ session: SessionPayload, _ names: [String]) -> [String] {
        var named: [String] = []
        for name in names where !named.contains(name) { named.append(name) }
        guard !named.isEmpty else { return [] }
        let shown = named.map { DisplayText(answered: $0).line }.joined(separator: ", ")
        return ["\(kind) that lose the tokens of \(session.name): \(shown)"]
    }

    /// Whether a session is signed out sooner. Nil for a change that signs it out no sooner than now: that takes the PIN, which is
    /// question enough. `end`: when the change would sign it out.
    package static func signOut(
        of session: SessionPayload, sooner change: SignOutChange, at end: Date?
    ) -> Question? {
        let time: String
        switch change.until {
        case .after?, .at?:
            guard let until = change.until, end ?? .distantFuture < session.signOutAt?.date ?? .distantFuture else {
                return nil
            }
            time = if case .at = until { "at \(until.text)" } else { "in \(until.text)" }
        case .never?, nil:
            guard change.keep == false, session.keep else { return nil }
            time = "when the settings say so"
        }
        let words = "Sign out of \(session.name) \(time)?"
        return Question([words], headline: "Sign out sooner?", [Fact(DisplayText(answered: words))], ok: "Yes")
    }

    /// Whether a program is refused its request.
    package static func refuse(_ request: RequestPayload) -> Question {
        let program = DisplayText(answered: request.program.text)
        return Question(
            ["\(request.id): refuse \(program.line) what it asks for, for ten minutes?"],
            headline: "Refuse this program?", [Fact("Program", program)], ok: "Refuse")
    }

    /// Whether a grant is ended. `cut`: with its tokens at the issuer.
    package static func revoke(_ grant: GrantPayload, cut: Bool) -> Question {
        let program = DisplayText(answered: grant.program.text)
        let rest =
            cut
            ? ", and its tokens at the issuer? They end for other programs, too, and maybe the whole session."
            : "? Only your PIN allows it again."
        return Question(
            ["\(grant.id): end what \(program.line) may have of \(grant.session ?? "a session that is gone")\(rest)"],
            headline: "End this grant?", [Fact("Program", program)], ok: "End")
    }
}

extension SignOutChange {
    /// The card of a change that the PIN says yes to.
    package func facts(of name: String) -> [Fact] {
        let words = keep == true ? "never; it is kept" : until.map(\.text) ?? "when the settings say so"
        return [Fact("Session", DisplayText(name)), Fact("Sign out", DisplayText(words))]
    }
}
