/// The sessions of one user that logind knows, by object path.
struct LoginSessions: Equatable {
    struct Session: Equatable {
        /// Whether it is on a screen, unlike that of a terminal or a remote shell.
        var isGraphical: Bool
        /// Whether it is at this computer's own screen, unlike that of a remote shell. Compositors that are started from a text console
        /// run in a session of its type.
        var isAtSeat: Bool
    }

    /// The session of this process, if any. A service of the user manager is in none.
    var own: String?
    private var sessions: [String: Session] = [:]

    mutating func add(_ path: String, _ session: Session) { sessions[path] = session }

    func contains(_ path: String) -> Bool { sessions[path] != nil }

    var isEmpty: Bool { sessions.isEmpty }

    enum End {
        /// The session of this process ended; or, for a process in no session, a graphical one; or the last session.
        case own
        /// Another graphical session ended.
        case other
    }

    /// Removes a session. Nil when its end is not a log-out.
    mutating func remove(_ path: String) -> End? {
        let isInOne = own.map(contains) ?? false
        guard let gone = sessions.removeValue(forKey: path) else { return nil }
        if path == own || sessions.isEmpty { return .own }
        guard gone.isGraphical else { return nil }
        return isInOne ? .other : .own
    }
}

extension LoginSessions.Session {
    /// From the properties of org.freedesktop.login1.Session. Nil for a session of another user, and for one without a
    /// person: a greeter, or a session that runs while nobody is logged in.
    init?(properties: [String: BusValue], of uid: UInt32) {
        guard properties["User"]?.list?.first?.uint32 == uid else { return nil }
        guard properties["Class"]?.string?.hasPrefix("user") ?? true else { return nil }
        isGraphical = ["x11", "wayland", "mir"].contains(properties["Type"]?.string)
        isAtSeat = properties["Seat"]?.list?.first?.string.map { !$0.isEmpty } ?? false
    }
}
