import CEntry

/// Where the agent of the ordinary home listens. Another home's socket has a name that the program proper makes.
struct Place {
    let socket: [UInt8]
    private let home: [UInt8]

    /// Nil if a variable names another home or a PIN file, or if no variable names the home.
    init?() {
        guard Text.variable("COUNTERSIGN_HOME") == nil, Text.variable("COUNTERSIGN_PIN_FILE") == nil else { return nil }
        if let state = Text.variable("XDG_STATE_HOME"), state.first == UInt8(ascii: "/") {
            home = state + Text.bytes("/countersign")
        } else if let user = Text.variable("HOME"), user.first == UInt8(ascii: "/") {
            home = user + Text.bytes("/.local/state/countersign")
        } else {
            return nil
        }
        if let directory = Text.variable("XDG_RUNTIME_DIR"), Self.isUsable(directory) {
            socket = directory + Text.bytes("/countersign/agent.sock")
        } else {
            socket = home + Text.bytes("/run/agent.sock")
        }
    }

    /// The process that holds the home's lock; nil if none does.
    var holder: Int32? {
        let file = Text.withPath(home + Text.bytes("/agent.lock"), countersign_entry_open)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard countersign_entry_is_locked(file) != 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
        guard count > 1, bytes[count - 1] == UInt8(ascii: "\n") else { return nil }
        return Text.number(bytes[..<(count - 1)]).flatMap { Int32(exactly: $0) }
    }

    private static func isUsable(_ directory: [UInt8]) -> Bool {
        guard directory.first == UInt8(ascii: "/") else { return false }
        var found = stat()
        guard Text.withPath(directory, { stat($0, &found) }) == 0 else { return false }
        return found.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR) && found.st_uid == geteuid()
            && found.st_mode & 0o022 == 0
    }
}
