package import Display

/// The content of one notification.
package struct Note: Sendable, Equatable {
    /// The action of a button on the notification.
    package enum Action: Sendable, Hashable {
        /// Opens the card. A click on the notification itself does the same.
        case review
        /// Asks for the PIN. A click on the notification itself does the same.
        case unlock
        /// Leads to a login. A click on the notification itself does the same.
        case signIn
        case deny
    }

    /// The urgency levels of the notification specification.
    package enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        /// Desktops keep it on the screen until the person acts, and show it even when they hold back others.
        case critical = 2
    }

    /// How long the note should be shown.
    package enum Stay: Sendable {
        /// It disappears by itself, and need not be found later.
        case short
        /// As long as the server thinks fit.
        case usual
        /// Until it is closed or the person dismisses it. When the server drops it, it is shown again.
        case lasting
    }

    /// One line.
    package var summary: DisplayText
    /// One text for each line, so no text can pass for another line.
    package var body: [DisplayText]
    /// The buttons.
    package var actions: Set<Action>
    package var urgency: Urgency
    /// Whether all of its words are this program's own.
    package var isOurs: Bool
    /// Whether it appears without a sound.
    package var isQuiet = false
    package var stay: Stay
    /// Reported together with the person's action, so that the note on the screen is distinct from others with the same
    /// key.
    package var tag: String

    package init(
        summary: DisplayText, body: [DisplayText], actions: Set<Action> = [], urgency: Urgency = .normal,
        stay: Stay = .usual, tag: String = "", isOurs: Bool = false
    ) {
        self.summary = summary
        self.body = body
        self.actions = actions
        self.urgency = urgency
        self.stay = stay
        self.tag = tag
        self.isOurs = isOurs
    }
}

/// An event of a notification, with its key.
package enum NotifierEvent: Sendable, Equatable {
    /// The person chose an action; `tag` is that of the note that was seen.
    case pressed(Note.Action, String, tag: String = "")
    /// The person dismissed it, or the server removed a note that need not stay.
    case left(String)
}
