import Display

/// One process that serves notifications, and how to call it (Desktop Notifications Specification 1.2).
struct NotificationServer: Sendable, Equatable {
    static let name = "org.freedesktop.Notifications"
    static let service = BusService(
        name: name,
        signals: [
            .init(interface: name, member: "ActionInvoked"), .init(interface: name, member: "NotificationClosed"),
        ])

    /// Its unique name, so that calls go to the process whose capabilities are known.
    var owner: String
    var hasActions: Bool
    /// Whether it reads the text of a body as markup.
    var readsMarkup: Bool
    /// How it shows the default action, which a click on the notification itself triggers.
    var defaultAction: DefaultAction
    /// Whether it turns a notification without expiry into a window that only the person can close.
    var makesWindows: Bool
    var layout: NoteLayout
    /// Whether it turns text that looks like an address into a link.
    var makesLinks: Bool
    /// Whether it has a history, in which closed notifications stay.
    var keepsClosed: Bool
    /// Whether it shows neither the application's name nor its icon.
    var hidesSender: Bool
    /// Whether a click on a notification dismisses it, and the middle button triggers the default action.
    var actsByMiddleButton: Bool

    enum DefaultAction {
        case unseen
        /// As a button beside the others, if it has a label.
        case button
        /// In a menu with the others.
        case listed
    }

    /// `name` is the server's own name for itself, since capabilities do not report all differences.
    init(owner: String, capabilities: [String], name: String) {
        self.owner = owner
        hasActions = capabilities.contains("actions")
        readsMarkup = capabilities.contains("body-markup")
        defaultAction =
            switch name {
            case "Xfce Notify Daemon": .button
            case "dunst": .listed
            default: .unseen
            }
        makesWindows = name == "notify-osd"
        layout = NoteLayout(server: name)
        makesLinks = name == "gnome-shell"
        keepsClosed = ["dunst", "mako"].contains(name)
        hidesSender = ["dunst", "mako", "notify-osd"].contains(name)
        actsByMiddleButton = name == "dunst"
    }

    static func capabilities(of owner: String, patience: Duration) -> BusCall {
        call("GetCapabilities", of: owner, [], patience)
    }

    static func information(of owner: String, patience: Duration) -> BusCall {
        call("GetServerInformation", of: owner, [], patience)
    }

    func close(_ id: UInt32, patience: Duration) -> BusCall {
        Self.call("CloseNotification", of: owner, [.uint32(id)], patience)
    }

    func notify(_ note: Note, replacing id: UInt32, from sender: Notifier.Sender, patience: Duration) -> BusCall {
        var hints: [String: BusArgument] = ["urgency": .byte(note.urgency.rawValue)]
        switch note.stay {
        case .short: hints["transient"] = .bool(true)
        case .usual: break
        case .lasting: hints["resident"] = .bool(true)
        }
        if note.isQuiet { hints["suppress-sound"] = .bool(true) }
        if let entry = sender.desktopEntry { hints["desktop-entry"] = .string(entry) }
        return Self.call(
            "Notify", of: owner,
            [
                .string(sender.name), .uint32(id), .string(sender.icon),
                .string(layout.summary(of: note)), .string(body(of: note)),
                .strings(hasActions ? actions(of: note) : []), .dictionary(hints),
                // Expiry: never, or as the server decides.
                .int32(note.stay == .lasting && !makesWindows ? 0 : -1),
            ], patience)
    }

    /// Replaces a note that is about to be closed, so that a history keeps none of its content.
    static let blank = Note(summary: DisplayText("Countersign"), body: [], urgency: .low, stay: .short, isOurs: true)

    /// The action that a name stands for on this note.
    static func action(named name: String, of note: Note) -> Note.Action? {
        switch name {
        case "default": [.unlock, .signIn].first(where: note.actions.contains) ?? .review
        case "review": .review
        case "unlock": .unlock
        case "sign-in": .signIn
        case "deny": .deny
        default: nil
        }
    }

    /// Alternates names and labels, as the specification requires. No action appears twice.
    private func actions(of note: Note) -> [String] {
        func opening(_ action: Note.Action, _ name: String, _ label: String) -> [String] {
            guard note.actions.contains(action) else { return [] }
            return switch defaultAction {
            case .unseen: ["default", label, name, label]
            case .button: ["default", "", name, label]
            case .listed: ["default", label]
            }
        }
        return opening(.review, "review", "Review") + opening(.unlock, "unlock", "Unlock")
            + opening(.signIn, "sign-in", "Sign in")
            + (note.actions.contains(.deny) ? ["deny", "Deny"] : [])
    }

    private func body(of note: Note) -> String {
        let lines = layout.body(of: note) + ownLine(of: note)
        let joined = lines.joined(separator: "\n")
        let text = makesLinks && !note.isOurs ? Self.unlinked(joined) : joined
        return readsMarkup ? Self.escaped(text) : text
    }

    /// The line below the body, where this server needs one: the application's name, and how to act.
    private func ownLine(of note: Note) -> [String] {
        let isNamed = !hidesSender || note.isOurs && note.summary.line.contains(Notifier.name)
        let parts = (isNamed ? [] : [Notifier.name]) + howToAct(on: note)
        return note == Self.blank || parts.isEmpty ? [] : [parts.joined(separator: ": ")]
    }

    private func howToAct(on note: Note) -> [String] {
        guard let action = [Note.Action.review, .unlock, .signIn].first(where: note.actions.contains) else { return [] }
        if hasActions { return actsByMiddleButton ? ["click with the middle button to \(action.verb)"] : [] }
        return action.command.map { ["on a terminal: \($0)"] } ?? []
    }

    /// Puts a joiner, which has no width, where GNOME Shell would recognize an address (before each `/`, and between
    /// two `w`): the person would trust a payee's link in a note of ours.
    private static func unlinked(_ text: String) -> String {
        var isW = false
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            let wasW = isW
            isW = scalar == "w" || scalar == "W"
            if scalar == "/" || (isW && wasW) { result.unicodeScalars.append("\u{2060}") }
            result.unicodeScalars.append(scalar)
        }
    }

    /// Escapes markup, scalar by scalar: to Swift, `<` with a combining mark is another Character, but to a server it
    /// is markup.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }

    private static func call(
        _ method: String, of owner: String, _ arguments: [BusArgument], _ patience: Duration
    ) -> BusCall {
        BusCall(
            service: owner, path: "/org/freedesktop/Notifications", interface: name, method: method,
            arguments: arguments, patience: patience)
    }
}

extension Note.Action {
    fileprivate var verb: String {
        switch self {
        case .review: "review"
        case .unlock: "unlock"
        case .signIn: "sign in"
        case .deny: "deny"
        }
    }

    /// The command that does the same. A note that leads to a login names its commands itself.
    fileprivate var command: String? {
        switch self {
        case .review, .deny: "countersign watch"
        case .unlock: "countersign unlock"
        case .signIn: nil
        }
    }
}
