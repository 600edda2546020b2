import Basics
import Dispatch
import Glibc
import LocalSocket
import Web

/// Receives redirected addresses from `countersign open` at its own socket, from `init` to `end`.
struct RedirectListener: Sendable {
    private let path: String
    private let listener: UnixSocket

    /// Starts listening. Throws if the place cannot be used.
    init(at place: RedirectPlace, _ incoming: IncomingRedirects) throws {
        try place.make()
        path = place.newSocket()
        guard let listener = UnixSocket() else { throw RedirectPlace.unusable("no socket can be had") }
        self.listener = listener
        // Linux gives the socket's file the mode of the socket (see bind(2)).
        fchmod(listener.number, 0o600)
        // The socket gets its final name only when it listens, so that nobody finds a socket that does not answer yet.
        let unborn = path + ".new"
        unlink(unborn)
        guard UnixAddress.fits(unborn) else { throw RedirectPlace.unusable("\(path): the path is too long") }
        // The address lives through the call.
        guard UnixAddress.with(unborn, { bind(listener.number, $0, $1) }) == 0,
            listen(listener.number, 16) == 0, rename(unborn, path) == 0
        else {
            let reason = String(cString: strerror(errno)).lowercased()
            unlink(unborn)
            throw RedirectPlace.unusable("\(path): \(reason)")
        }
        // Accepting blocks, so it has its own thread, which ends when the socket is shut down.
        DispatchQueue(label: "redirect-socket").async { Self.accept(from: listener, incoming) }
    }

    func end() {
        unlink(path)
        shutdown(listener.number, Int32(SHUT_RDWR))
    }

    private static func accept(from listener: UnixSocket, _ incoming: IncomingRedirects) {
        while true {
            // The address of the other end is not needed.
            let number = Glibc.accept(listener.number, nil, nil)
            guard number >= 0 else {
                switch errno {
                case EINTR, ECONNABORTED: continue
                // The connection waits until this process or the system has a descriptor again.
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(100_000)
                // `end` was called.
                default: return
                }
                continue
            }
            let connection = UnixSocket(owning: number)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            // On a queue of its own, so that a slow sender does not delay the others.
            DispatchQueue(label: "redirect").async { take(connection, incoming) }
        }
    }

    private static func take(_ socket: UnixSocket, _ incoming: IncomingRedirects) {
        guard let connection = UnixStream(accepted: socket), connection.peer.uid == geteuid() else { return }
        let answer: @Sendable (RedirectOutcome) -> Void = { outcome in
            _ = try? connection.send([RedirectPlace.word(for: outcome)], by: .now + .seconds(5))
        }
        let received = try? connection.receiveAll(limit: RedirectPlace.longestAddress, by: .now + .seconds(5))
        guard let bytes = received else { return answer(.notAccepted) }
        let address = String(decoding: bytes, as: UTF8.self)
        if !incoming.offer(IncomingRedirect(address: address) { answer($0) }) { answer(.notAccepted) }
    }
}
