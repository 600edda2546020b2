/// One run of a notification server, and how to speak to it (Desktop Notifications Specification 1.2).
struct NotificationServer: Sendable, Equatable {
    static let name = "org.freedesktop.Notifications"
    static let service = BusService(
        name: name,
        signals: [
            .init(interface: name, member: "ActionInvoked"), .init(interface: name, member: "NotificationClosed"),
        ])

    /// Its unique name: calls go to this very process, whose capabilities are known.
    var owner: String
    var hasActions: Bool
    /// Text of a body is read as markup.
    var readsMarkup: Bool
    /// A notification stays after one of its actions, when asked to.
    var keepsNotes: Bool

    init(owner: String, capabilities: [String]) {
        self.owner = owner
        hasActions = capabilities.contains("actions")
        readsMarkup = capabilities.contains("body-markup")
        keepsNotes = capabilities.contains("persistence")
    }

    static func capabilities(of owner: String, patience: Duration) -> BusCall {
        call("GetCapabilities", of: owner, [], patience)
    }

    func close(_ id: UInt32, patience: Duration) -> BusCall {
        Self.call("CloseNotification", of: owner, [.uint32(id)], patience)
    }

    func notify(_ note: Note, replacing id: UInt32, from sender: Notifier.Sender, patience: Duration) -> BusCall {
        var hints: [String: BusArgument] = ["urgency": .byte(note.urgency.rawValue), "resident": .bool(true)]
        if note.isPassing { hints["transient"] = .bool(true) }
        if let entry = sender.desktopEntry { hints["desktop-entry"] = .string(entry) }
        return Self.call(
            "Notify", of: owner,
            [
                .string(sender.name), .uint32(id), .string("dialog-password"),
                .string(note.summary.line(within: Self.widestSummary)), .string(body(of: note)),
                .strings(hasActions ? Self.actions(of: note) : []), .dictionary(hints),
                // What waits for a decision never leaves by itself; what offers nothing, when the server thinks fit.
                .int32(note.actions.isEmpty ? -1 : 0),
            ], patience)
    }

    /// What an action's name means.
    static func action(named name: String) -> Note.Action? {
        switch name {
        case "default", "review": .review
        case "deny": .deny
        default: nil
        }
    }

    private static let widestSummary = 100
    private static let widestLine = 300
    private static let mostLines = 8

    /// Names and labels in turn.
    private static func actions(of note: Note) -> [String] {
        (note.actions.contains(.review) ? ["default", "Review", "review", "Review"] : [])
            + (note.actions.contains(.deny) ? ["deny", "Deny"] : [])
    }

    private func body(of note: Note) -> String {
        let text = note.body.prefix(Self.mostLines).map { $0.line(within: Self.widestLine) }.joined(separator: "\n")
        return readsMarkup ? Self.escaped(text) : text
    }

    /// Scalar by scalar: a `<` with a combining mark on it is another character, but the same markup.
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
