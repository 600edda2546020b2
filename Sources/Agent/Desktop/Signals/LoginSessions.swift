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

    /// Takes a session away, and says whether that is the person logging out: by the end of the session this process is in,
    /// of a graphical one, or of the last.
    mutating func remove(_ path: String) -> Bool {
        guard let gone = sessions.removeValue(forKey: path) else { return false }
        return path == own || gone.isGraphical || sessions.isEmpty
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
