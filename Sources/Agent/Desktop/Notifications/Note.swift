public import Display

/// What one notification says and offers.
public struct Note: Sendable, Equatable {
    public enum Action: Sendable, Hashable {
        /// Opens the card. Also what a click on the notification itself does.
        case review
        case deny
    }

    /// As the notification specification has it.
    public enum Urgency: UInt8, Sendable {
        case normal = 1
        /// Desktops keep it on the screen until somebody acts, and show it when others are held back.
        case critical = 2
    }

    /// One line.
    public var summary: DisplayText
    /// Each stands on a line of its own, so no text can pass for another line.
    public var body: [DisplayText]
    public var actions: Set<Action>
    public var urgency: Urgency
    /// Tells something that nobody needs to find later: the desktop need not keep it.
    public var isPassing = false
    /// Comes back with what the person does with the note; it tells the note that was seen from others of its key.
    public var tag: String

    public init(
        summary: DisplayText, body: [DisplayText], actions: Set<Action> = [.review], urgency: Urgency = .normal,
        tag: String = ""
    ) {
        self.summary = summary
        self.body = body
        self.actions = actions
        self.urgency = urgency
        self.tag = tag
    }
}

/// What the person did with a notification, by the key it was shown under and the tag of the note that was seen.
public enum NotifierEvent: Sendable, Equatable {
    case review(String, tag: String = "")
    case deny(String, tag: String = "")
}
