package import Desktop
internal import Glibc
package import LocalSocket

extension SessionOrigin {
    /// Finds the session that this background process belongs to. Call it while the command that started the process
    /// still waits for it.
    package init(environment: [String: String]) {
        let display = Self.display(environment)
        self.init(
            display: display,
            terminal: display == nil ? Self.firstOnTerminal(above: getppid(), ProcessStatus.init(of:)) : nil)
    }

    /// The process that listens on the display's socket; nil if the display belongs to another computer or does not
    /// answer.
    private static func display(_ environment: [String: String]) -> Int32? {
        if let name = environment["WAYLAND_DISPLAY"], !name.isEmpty {
            let path = name.hasPrefix("/") ? name : "\(environment["XDG_RUNTIME_DIR"] ?? "")/\(name)"
            if let process = listener(at: path) { return process }
        }
        guard let name = environment["DISPLAY"], name.hasPrefix(":") || name.hasPrefix("unix:"),
            let number = Int32(name.drop { $0 != ":" }.dropFirst().prefix { $0 != "." })
        else { return nil }
        // X servers also listen on an abstract name, which is visible even where /tmp is another one.
        let path = "/tmp/.X11-unix/X\(number)"
        return listener(at: path) ?? listener(at: "@" + path)
    }

    private static func listener(at path: String) -> Int32? {
        guard let socket = UnixSocket(isBlocking: false), UnixAddress.fits(path),
            // The address lives through the call, and the length passed is its own.
            UnixAddress.with(path, abstract: true, { connect(socket.number, $0, $1) == 0 }),
            // Process 1 holds sockets for other programs (socket activation).
            let peer = socket.peer, peer.pid > 1
        else { return nil }
        return peer.pid
    }

    /// The topmost ancestor of `starter` that has a terminal. Skips `starter` itself, which ends when its work is done.
    package static func firstOnTerminal(above starter: Int32, _ status: (Int32) -> ProcessStatus?) -> Int32? {
        var next = status(starter)?.parent ?? 0
        var first: Int32?
        // The chain of parents ends at process 1, or at a process that has ended meanwhile.
        while next > 1, let found = status(next) {
            if found.terminal != 0 { first = next }
            next = found.parent
        }
        return first
    }
}
