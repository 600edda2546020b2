/// The sessions of one user in logind, by object path.
struct LoginSessions: Equatable {
    struct Session: Equatable {
        /// On a screen, where a terminal's or a remote shell's is not.
        var isGraphical: Bool
    }

    /// The session this process is in, if any; a service of the user is in none.
    var own: String?
    private var sessions: [String: Session] = [:]

    mutating func add(_ path: String, _ session: Session) { sessions[path] = session }

    func contains(_ path: String) -> Bool { sessions[path] != nil }

    var isEmpty: Bool { sessions.isEmpty }

    enum End {
        /// Of the session this process is in, where it is in one; of a graphical one, where it is in none; of the last.
        case own
        /// Of a graphical one besides.
        case other
    }

    /// Takes a session away. Nil where that is no log-out.
    mutating func remove(_ path: String) -> End? {
        let isInOne = own.map(contains) ?? false
        guard let gone = sessions.removeValue(forKey: path) else { return nil }
        if path == own || sessions.isEmpty { return .own }
        guard gone.isGraphical else { return nil }
        return isInOne ? .other : .own
    }
}

extension LoginSessions.Session {
    /// From the properties of org.freedesktop.login1.Session, nil for another user's session or one that is no person's: a
    /// greeter, or what runs without anybody logged in.
    init?(properties: [String: BusValue], of uid: UInt32) {
        guard properties["User"]?.list?.first?.uint32 == uid else { return nil }
        guard properties["Class"]?.string?.hasPrefix("user") ?? true else { return nil }
        isGraphical = ["x11", "wayland", "mir"].contains(properties["Type"]?.string)
    }
}
