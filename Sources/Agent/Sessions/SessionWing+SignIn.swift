public import Basics
import Display
import Pinentry
import Sessions

/// Ended sessions that something still asks for: the button of the desktop's note leads to the login. No page is opened for a program.
extension SessionWing {
    public nonisolated static let noDesktop = Failure(
        .locked, "no page can be opened from here", hint: "on a terminal: countersign login NAME")

    /// A token of this session could not be handed out.
    func couldNotServe(_ session: SignIn, _ error: any Error) {
        tellChanges()
        guard let error = error as? SessionError, error.takesLogin else { return }
        let moment = clock.moment()
        if error.isWantedEnd, let sessions = held.reachable,
            (try? sessions.signOut.isAnyDue(by: sessions.signOutClock)) == true
        {
            // The sign-out is about to be done, and its own note is enough.
            watch.hurry()
            return signOutDue(at: moment)
        }
        if reminders.asked(for: session, at: moment) { dependencies.announcer.remind(ofSignIn: session.id.text) }
    }

    /// Takes back the notes about sessions that were signed in to again, or that are gone.
    func retractSignIns() {
        guard reminders.isAnyWanted, let all = try? held.reachable?.store.sessions() else { return }
        for id in reminders.settled(among: all) { dependencies.announcer.retract(signIn: id.text) }
    }

    /// The person pressed the button: asks for the PIN if sessions are not at hand, shows the session and the issuer's
    /// hosts, and leads through the login.
    public func signInAgain(_ id: String) async throws {
        let caller = CallerContext.notification
        core.tick()
        if !isAtHand { try await core.unlock(nil, from: .person, for: caller) }
        let sessions = try demandAtHand(for: caller)
        guard let session = try sessions.store.sessions().first(where: { $0.id.text == id }) else {
            return dependencies.announcer.retract(signIn: id)
        }
        guard reminders.began(session.id) else { throw Failure.cancelled }
        defer { reminders.ended(session.id) }
        let asker = try await asker(caller)
        var request = LoginRequest(.session(session.name.text))
        request.languages = dependencies.languages
        let login = WingLogin(request, in: self, for: caller)
        try await dependencies.signIn(login) { offer in
            try await self.asking(caller) { try await asker.askYesOrNo(Self.question(session, offer)) }
        }
    }

    private nonisolated static func question(_ session: SignIn, _ offer: LoginOfferPayload) -> PinentryQuestion {
        let hosts = offer.hosts
        // The offer's texts are safe to show already.
        func shown(_ host: String) -> DisplayText { DisplayText(shown: host) ?? DisplayText(host) }
        func line(_ label: StaticString, _ host: String) -> [DisplayText] {
            host == hosts.issuer ? [] : [PinentryQuestion.line(label, shown(host))]
        }
        var details = [PinentryQuestion.line("Session", DisplayText(session.name.text))]
        if let identity = session.identity {
            details.append(PinentryQuestion.short("Account", DisplayText(identity.account)))
        }
        details.append(PinentryQuestion.line("Issuer", shown(hosts.issuer)))
        details += line("Page", hosts.page) + line("Tokens come from", hosts.tokens)
        details += hosts.others.flatMap { line("Other calls go to", $0) }
        details.append(PinentryQuestion.short("Scopes", DisplayText(offer.scopes.joined(separator: " "))))
        if offer.client == nil { details.append(DisplayText("This program is registered there anew.")) }
        if hosts.pageUnproven {
            details.append(
                DisplayText(
                    "The page is not at the issuer, which does not promise to prove that it is its own: go on only if you know both."
                ))
        }
        return PinentryQuestion("Sign in again?", details: details, ok: "Sign in")
    }
}
