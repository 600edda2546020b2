import Glibc

extension RedirectPlace {
    enum Delivery {
        /// No enrollment waits.
        case nobody
        /// Enrollments wait, but none of them accepted the address.
        case notAccepted
        /// An enrollment accepted the address and connected its bank.
        case accepted
    }

    /// Brings an address to each enrollment that waits, until one finds it good. Sockets of enrollments that were killed
    /// are removed.
    func deliver(_ address: String) throws -> Delivery {
        var delivery = Delivery.nobody
        for path in all() {
            guard let good = try hand(address, to: path) else { continue }
            if good { return .accepted }
            delivery = .notAccepted
        }
        return delivery
    }

    /// Whether the enrollment that listens there accepts the address; nil when nobody listens.
    private func hand(_ address: String, to path: String) throws -> Bool? {
        let connection = try UnixSocket.make()
        // The proof takes a few calls to the bank, and others may come first.
        UnixSocket.limit(connection, reading: 120, writing: 5)
        guard UnixSocket.use(path, { connect(connection.number, $0, $1) }) == 0 else {
            if errno == ECONNREFUSED { unlink(path) }
            return nil
        }
        guard UnixSocket.isOwn(connection) else { return nil }
        guard UnixSocket.send(Array(address.utf8), to: connection) else { return false }
        shutdown(connection.number, Int32(SHUT_WR))
        return UnixSocket.receive(from: connection, limit: 1) == [Self.accepted]
    }
}
