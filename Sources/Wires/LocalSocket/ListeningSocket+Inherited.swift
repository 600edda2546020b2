internal import Glibc

extension ListeningSocket {
    /// The socket that a service manager passed (sd_listen_fds(3)); nil when none was passed to this process. Takes the
    /// locks too. The socket's file stays the manager's.
    ///
    /// Removes the manager's variables from this process's environment, so that no child takes them for its own; call it
    /// before other threads start. Throws `badActivation` when anything but one listening unix stream socket was passed,
    /// else as `bind`. When another agent runs, the connections that wait are closed.
    package static func inherited(
        at place: SocketPlace, environment: [String: String]
    ) throws(SocketError) -> ListeningSocket? {
        try inherited(at: place, environment: environment, first: 3)
    }

    /// `first` is the number of the first passed descriptor.
    static func inherited(
        at place: SocketPlace, environment: [String: String], first: Int32
    ) throws(SocketError) -> ListeningSocket? {
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        guard let pid = environment["LISTEN_PID"], Int32(pid) == getpid(), let count = environment["LISTEN_FDS"] else {
            return nil
        }
        guard let count = Int32(count), count >= 1, count <= 1024 else {
            throw .badActivation("LISTEN_FDS is not a number of sockets")
        }
        for descriptor in first..<(first + count) {
            guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw .badActivation("the service manager passed no open descriptor \(descriptor)")
            }
        }
        guard count == 1 else {
            throw .badActivation("the service manager passed \(count) sockets where one is expected")
        }
        guard option(SO_DOMAIN, of: first) == AF_UNIX, option(SO_TYPE, of: first) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: first) == 1
        else {
            throw .badActivation("what the service manager passed is not a listening unix stream socket")
        }
        do throws(SocketError) {
            return ListeningSocket(first, at: place, file: nil, locks: try place.lock())
        } catch {
            turnAway(first)
            throw error
        }
    }

    /// Closes the connections that wait at a socket that a service manager passed to this process, which cannot serve them.
    /// Otherwise the manager would start it again at once.
    package static func turnAway(environment: [String: String]) {
        guard environment["LISTEN_FDS"] == "1", environment["LISTEN_PID"] == String(getpid()) else { return }
        turnAway(3)
    }

    /// Closes the connections that wait to be accepted. Otherwise the manager would start another agent at once.
    private static func turnAway(_ listener: Int32) {
        var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        // One entry, and no waiting. The caller's address is not asked for; the descriptor is closed right here.
        while poll(&entry, 1, 0) > 0 {
            let caller = accept(listener, nil, nil)
            guard caller >= 0 else { return }
            close(caller)
        }
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        // Each of the options is an int; at most `size` bytes are written into `value`.
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}
