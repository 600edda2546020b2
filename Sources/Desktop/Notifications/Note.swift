public import Display

/// What one notification says and offers.
public struct Note: Sendable, Equatable {
    public enum Action: Sendable, Hashable {
        /// Opens the card. Also what a click on the notification itself does.
        case review
        /// Asks for the PIN. Likewise.
        case unlock
        case deny
    }

    /// As the notification specification has it.
    public enum Urgency: UInt8, Sendable {
        case low = 0
        case normal = 1
        /// Desktops keep it on the screen until somebody acts, and show it when others are held back.
        case critical = 2
    }

    /// How long it is meant to be there.
    public enum Stay: Sendable {
        /// It leaves by itself, and nobody needs to find it later.
        case short
        /// As long as the server thinks fit.
        case usual
        /// Until it is closed or the person puts it away: one that the server drops is shown again.
        case lasting
    }

    /// One line.
    public var summary: DisplayText
    /// Each stands on a line of its own, so no text can pass for another line.
    public var body: [DisplayText]
    public var actions: Set<Action>
    public var urgency: Urgency
    public var stay: Stay
    /// Comes back with what the person does with the note; it tells the note that was seen from others of its key.
    public var tag: String

    public init(
        summary: DisplayText, body: [DisplayText], actions: Set<Action> = [], urgency: Urgency = .normal,
        stay: Stay = .usual, tag: String = ""
    ) {
        self.summary = summary
        self.body = body
        self.actions = actions
        self.urgency = urgency
        self.stay = stay
        self.tag = tag
    }
}

/// What became of a notification, by the key it was shown under and the tag of the note that was seen.
public enum NotifierEvent: Sendable, Equatable {
    /// The person pressed an action.
    case pressed(Note.Action, String, tag: String = "")
    /// The person put it away, or the server did that may do so.
    case left(String)
}
