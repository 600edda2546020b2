import Basics
import Dispatch
import Glibc

/// Takes redirected addresses from `countersign open` at a socket of its own, from its beginning to `end`.
struct RedirectListener: Sendable {
    private let path: String
    private let listener: Descriptor

    /// Listens. Throws when the place cannot be used.
    init(at place: RedirectPlace, _ incoming: IncomingRedirects) throws {
        try place.make()
        path = place.own
        listener = try UnixSocket.make()
        // Linux gives the file the mode that the socket has (bind(2) of unix sockets).
        fchmod(listener.number, 0o600)
        // It gets its name when it listens, so that nobody finds it dead before it lives.
        let unborn = path + ".new"
        unlink(unborn)
        guard UnixSocket.use(unborn, { [listener] in bind(listener.number, $0, $1) }) == 0,
            listen(listener.number, 16) == 0, rename(unborn, path) == 0
        else {
            let reason = String(cString: strerror(errno)).lowercased()
            unlink(unborn)
            throw RedirectPlace.unusable("\(path): \(reason)")
        }
        // Accepting blocks, so it has a thread of its own, which ends when the socket is shut down.
        DispatchQueue(label: "redirect-socket").async { [listener] in Self.accept(from: listener, incoming) }
    }

    func end() {
        unlink(path)
        shutdown(listener.number, Int32(SHUT_RDWR))
    }

    private static func accept(from listener: Descriptor, _ incoming: IncomingRedirects) {
        while true {
            // No address of the other end is wanted.
            let number = Glibc.accept(listener.number, nil, nil)
            guard number >= 0 else {
                if [EINTR, ECONNABORTED].contains(errno) { continue }
                return
            }
            let connection = Descriptor(number)
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
            // A slow sender must not keep the others waiting.
            DispatchQueue(label: "redirect").async { take(connection, incoming) }
        }
    }

    private static func take(_ connection: Descriptor, _ incoming: IncomingRedirects) {
        guard UnixSocket.isOwn(connection) else { return }
        UnixSocket.limit(connection, reading: 5, writing: 5)
        let answer: @Sendable (Bool) -> Void = { good in
            _ = UnixSocket.send([good ? RedirectPlace.accepted : RedirectPlace.notAccepted], to: connection)
        }
        guard let bytes = UnixSocket.receive(from: connection, limit: RedirectPlace.longestAddress) else {
            return answer(false)
        }
        let address = String(decoding: bytes, as: UTF8.self)
        if !incoming.offer(IncomingRedirect(address: address) { answer($0) }) { answer(false) }
    }
}
