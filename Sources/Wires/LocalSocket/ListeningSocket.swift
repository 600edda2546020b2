internal import Glibc
internal import Synchronization

/// The unix socket that the agent answers on, and the locks that make it the only agent of its home.
///
/// Keep it as long as the agent lives. Its end releases the locks, and removes the socket's file if that was made here and
/// still exists.
package final class ListeningSocket: Sendable {
    private struct State {
        var descriptor: Int32?
        /// The socket's file, if it was made here: ours to remove.
        var file: SocketFile.Identity?
    }

    package let place: SocketPlace
    private let locks: [AgentLock]
    private let state: Mutex<State>

    init(_ descriptor: Int32, at place: SocketPlace, file: SocketFile.Identity?, locks: [AgentLock]) {
        self.place = place
        self.locks = locks
        state = Mutex(State(descriptor: descriptor, file: file))
    }

    deinit {
        retire()
        if let descriptor = takeDescriptor() { close(descriptor) }
    }

    /// Takes the locks, removes the socket of an agent that was killed, and listens with mode 0600.
    ///
    /// Throws `SocketError`: `running` when another agent has a lock, `occupied` when something else listens there (both
    /// leave its socket alone), `unusable`.
    package static func bind(at place: SocketPlace) throws(SocketError) -> ListeningSocket {
        let locks = try place.lock()
        try removeStaleSocket(at: place)
        guard let socket = UnixSocket() else { throw .system("cannot create a socket", errno) }
        // The kernel gives the file the mode of the unbound socket, less the umask: it is never open to others.
        guard fchmod(socket.number, 0o600) == 0,
            // The address lives through the call.
            UnixAddress.with(place.path, { Glibc.bind(socket.number, $0, $1) }) == 0
        else { throw .system(place.path, errno) }
        guard let file = try SocketFile(at: place.path) else { throw .system(place.path, ENOENT) }
        guard listen(socket.number, backlog) == 0 else {
            let number = errno
            unlink(place.path)
            throw .system(place.path, number)
        }
        return ListeningSocket(socket.release(), at: place, file: file.identity, locks: locks)
    }

    /// Removes the socket's file if it is still the file made here, so that no command finds it.
    package func retire() {
        state.withLock { state in
            guard let mine = state.file else { return }
            state.file = nil
            guard let found = try? SocketFile(at: place.path), found.identity == mine else { return }
            unlink(place.path)
        }
    }

    /// Hands over the descriptor, which the caller must close. Nil from the second time on.
    func takeDescriptor() -> Int32? {
        state.withLock { state in
            defer { state.descriptor = nil }
            return state.descriptor
        }
    }

    /// How many connections may wait to be accepted.
    private static let backlog: Int32 = 128

    /// Call it with the locks held: then only a program that takes no lock can listen there, such as a service manager,
    /// which starts the agent at the first call.
    private static func removeStaleSocket(at place: SocketPlace) throws(SocketError) {
        guard try place.existing() else { return }
        guard try UnixStream(connectingTo: place.path) == nil else {
            throw .occupied(path: place.path)
        }
        guard unlink(place.path) == 0 || errno == ENOENT else { throw .system(place.path, errno) }
    }
}
