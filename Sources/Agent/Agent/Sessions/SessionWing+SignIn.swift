import Basics
import Dialogue
import Display
import SessionModel
import Sessions

/// Ended sessions that something still asks for: the button of the desktop's note leads to the login. No page is opened for a program.
extension SessionWing {
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
    package func signInAgain(_ id: String) async throws {
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
        let login = try await beginLogin(request, for: caller)
        let dialogue = PageDialogue(
            signingIn: login.offer, account: session.identity.map { DisplayText($0.account) }, isAgreed: false,
            before: .person(typesWords: false))
        try await dependencies.signIn(login.offer, steps(of: login, for: caller), dialogue) { ask in
            try await self.answer(ask, orElse: "countersign login \(session.name.text)", asker, caller)
        }
    }
}
