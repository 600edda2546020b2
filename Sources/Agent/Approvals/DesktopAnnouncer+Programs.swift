import Desktop
import Display

/// Notes about programs that ask for tokens. They name neither program nor session, since desktops keep the text of
/// notes; the windows that follow name both.
extension DesktopAnnouncer {
    private static let prefix = "program "

    func perform(program id: String, _ isThere: Bool) async {
        let key = Self.prefix + id
        guard isThere else {
            await notifier?.close(key: key)
            change { $0.waiting.set(other: key, stands: false) }
            return
        }
        let note = Note(
            summary: DisplayText("A program asks for a token"), body: [DisplayText("Review says which, and for what.")],
            actions: [.review, .deny], stay: .lasting, isOurs: true)
        guard await notifier?.show(key: key, note: note) != true else {
            // It takes a place from the notes about waiting requests.
            return change { $0.waiting.set(other: key, stands: true) }
        }
        report("a program asks for a token; see it with: countersign requests")
    }

    /// Names no session, as above.
    static let signedOutKey = "signed out"

    func performSignedOut() async {
        let note = Note(
            summary: DisplayText("You were signed out"),
            body: [DisplayText("It was time. countersign sessions says of what.")], isOurs: true)
        guard await notifier?.show(key: Self.signedOutKey, note: note) != true else { return }
        change { $0.isSignOutTold = false }
        report("sessions were signed out, since it was time; see: countersign sessions")
    }

    func performUnsaved(_ isRescued: Bool) async {
        let note = Note(
            summary: DisplayText("New sign-in tokens cannot be written"),
            body: [
                DisplayText("Is the disk full? They are written as soon as they can."),
                DisplayText(
                    isRescued ? "Until then your keyring has them." : "Until then they are lost if the computer stops."),
            ], urgency: .critical, isOurs: true)
        guard await notifier?.show(key: "unsaved", note: note) != true else { return }
        let rest = isRescued ? "; the keyring has them" : ""
        report("new tokens of a session cannot be written: is the disk full? Trying until they can\(rest)")
    }

    /// The request that a button was pressed for, and whether it is to be reviewed; nil for any other note.
    static func request(_ event: NotifierEvent) -> (id: String, isReview: Bool)? {
        switch event {
        case .pressed(.review, let key, _) where key.hasPrefix(prefix): (String(key.dropFirst(prefix.count)), true)
        case .pressed(.deny, let key, _) where key.hasPrefix(prefix): (String(key.dropFirst(prefix.count)), false)
        case .pressed, .left: nil
        }
    }
}
