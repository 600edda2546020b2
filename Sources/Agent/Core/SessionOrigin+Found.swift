public import Desktop
internal import Glibc
package import LocalSocket

extension SessionOrigin {
    /// Of a process in the background, while the command that started it still waits for it.
    public init(environment: [String: String]) {
        let display = Self.display(environment)
        self.init(
            display: display,
            terminal: display == nil ? Self.firstOnTerminal(above: getppid(), ProcessStatus.init(of:)) : nil)
    }

    /// The process that listens on the display's socket; nil for a display of another computer, and where none answers.
    private static func display(_ environment: [String: String]) -> Int32? {
        if let name = environment["WAYLAND_DISPLAY"], !name.isEmpty {
            let path = name.hasPrefix("/") ? name : "\(environment["XDG_RUNTIME_DIR"] ?? "")/\(name)"
            if let process = listener(at: path) { return process }
        }
        guard let name = environment["DISPLAY"], name.hasPrefix(":") || name.hasPrefix("unix:"),
            let number = Int32(name.drop { $0 != ":" }.dropFirst().prefix { $0 != "." })
        else { return nil }
        // X servers listen at an abstract name as well, which is there where another /tmp is.
        let path = "/tmp/.X11-unix/X\(number)"
        return listener(at: path) ?? listener(at: "@" + path)
    }

    private static func listener(at path: String) -> Int32? {
        guard let socket = UnixSocket(isBlocking: false), UnixAddress.fits(path),
            // The address lives through the call, and its own length is given.
            UnixAddress.with(path, abstract: true, { connect(socket.number, $0, $1) == 0 }),
            // The system's first process holds sockets for others.
            let peer = socket.peer, peer.pid > 1
        else { return nil }
        return peer.pid
    }

    /// `starter` itself ends when its work is done.
    package static func firstOnTerminal(above starter: Int32, _ status: (Int32) -> ProcessStatus?) -> Int32? {
        var next = status(starter)?.parent ?? 0
        var first: Int32?
        // The chain of parents ends at process 1, or at a process that is gone meanwhile.
        while next > 1, let found = status(next) {
            if found.terminal != 0 { first = next }
            next = found.parent
        }
        return first
    }
}
