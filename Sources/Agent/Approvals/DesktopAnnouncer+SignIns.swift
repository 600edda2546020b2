import Basics
import Desktop
import Display

/// Notes about sessions that must be signed in to again. Like the notes about programs, they name nothing; the window that follows
/// names the session.
extension DesktopAnnouncer {
    private static let prefix = "sign in "
    private static let outcome = "signed in"

    func perform(_ step: SignInNotes.Step) async {
        switch step {
        case .close(let id):
            await notifier?.close(key: Self.prefix + id)
            set(id, stands: false)
        case .show(let id, let since):
            // The time distinguishes two sessions: desktops merge equal notes.
            let note = Note(
                summary: DisplayText("Sign in again"),
                body: [
                    DisplayText(
                        "A session has ended that something asked for at \(LocalTime.short(since, at: now()))."),
                    DisplayText("Sign in says which; so does countersign sessions."),
                ], actions: [.signIn], stay: .lasting, isOurs: true)
            guard await notifier?.show(key: Self.prefix + id, note: note) != true else { return set(id, stands: true) }
            report(
                "a session has ended that something asked for; see: countersign sessions, then: countersign login NAME")
        }
    }

    /// A note of this kind takes a place from the notes about waiting requests.
    private func set(_ id: String, stands: Bool) {
        change { $0.waiting.set(other: Self.prefix + id, stands: stands) }
    }

    /// The session whose note this event is about; nil for any other note.
    static func session(_ event: NotifierEvent) -> String? {
        switch event {
        case .pressed(.signIn, let key, _), .left(let key):
            key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : nil
        case .pressed: nil
        }
    }

    func obey(_ event: NotifierEvent, of session: String, _ sessions: SessionWing) async {
        guard case .pressed = event else {
            set(session, stands: false)
            return change { $0.signIns.dismiss(session) }
        }
        do {
            try await sessions.signInAgain(session)
            let note = Note(summary: DisplayText("Signed in again"), body: [], stay: .short, isOurs: true)
            _ = await notifier?.show(key: Self.outcome, note: note)
        } catch {
            change { $0.signIns.bringBack(session) }
            let failure = Failure(error)
            guard failure.kind != .cancelled else { return }
            let words = Self.words(failure).map { [DisplayText($0)] } ?? []
            let note = Note(
                summary: DisplayText("Not signed in"),
                body: words + [DisplayText("On a terminal: countersign sessions, then countersign login NAME.")],
                isOurs: true)
            guard await notifier?.show(key: Self.outcome, note: note) != true else { return }
            report("a session could not be signed in to again; on a terminal: countersign login NAME")
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
