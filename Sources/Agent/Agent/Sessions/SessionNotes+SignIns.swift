import Basics
import Desktop
import Display

/// Notes about sessions that must be signed in to again.
extension SessionNotes {
    private static let prefix = "sign in "
    private static let outcome = "signed in"

    private static func session(_ key: String) -> String? {
        key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
    }

    func perform(_ step: SignInNotes.Step) async {
        switch step {
        case .close(let id):
            await notes.close(Self.prefix + id)
            notes.set(Self.prefix + id, stands: false)
        case .show(let id, let since):
            // The time distinguishes two sessions: desktops merge equal notes.
            let note = Note(
                summary: DisplayText("Sign in again"),
                body: [
                    DisplayText(
                        "A session has ended that something asked for at \(LocalTime.short(since, at: now()))."),
                    DisplayText("Sign in says which; so does countersign sessions."),
                ], actions: [.signIn], stay: .lasting, isOurs: true)
            let withdrawals = notes.withdrawals
            // It takes a place from the notes about waiting requests.
            guard await !notes.show(Self.prefix + id, note) else { return notes.set(Self.prefix + id, stands: true) }
            // A lock withdrew it on its way to the screen: it will be shown again.
            guard withdrawals == notes.withdrawals else { return }
            notes.report(
                "a session has ended that something asked for; see: countersign sessions, then: countersign login NAME")
        }
    }

    func dismissSignIn(_ key: String) {
        if let session = Self.session(key) { change { $0.signIns.dismiss(session) } }
    }

    func signIn(_ key: String, _ sessions: SessionWing) async {
        guard let session = Self.session(key) else { return }
        do {
            try await sessions.signInAgain(session)
            let note = Note(summary: DisplayText("Signed in again"), body: [], stay: .short, isOurs: true)
            _ = await notes.show(Self.outcome, note)
        } catch {
            change { $0.signIns.bringBack(session) }
            let failure = Failure(error)
            guard failure.kind != .cancelled else { return }
            let words = Self.words(failure).map { [DisplayText($0)] } ?? []
            let note = Note(
                summary: DisplayText("Not signed in"),
                body: words + [DisplayText("On a terminal: countersign sessions, then countersign login NAME.")],
                isOurs: true)
            guard await !notes.show(Self.outcome, note) else { return }
            notes.report("a session could not be signed in to again; on a terminal: countersign login NAME")
        }
    }

    /// Why it failed, without a word that names the session, its account or its issuer.
    private static func words(_ failure: Failure) -> String? {
        switch failure.kind {
        case .unreachable: "The issuer could not be reached."
        case .refused: "The issuer said no."
        case .changed: "Somebody else signed in, or the issuer is not what it was."
        case .locked: "The question could not be asked."
        default: nil
        }
    }
}
