import Glibc
import LocalSocket

extension RedirectPlace {
    enum Delivery {
        /// Nobody waits.
        case nobody
        /// Some processes wait, but none accepted the address.
        case notAccepted
        /// A process accepted the address: it connected its bank, or signed in.
        case accepted
    }

    /// Sends an address to one waiting process after the other until one accepts it. Removes the sockets of processes that were
    /// killed.
    func deliver(_ address: String) -> Delivery {
        var delivery = Delivery.nobody
        for path in all() {
            guard let good = hand(address, to: path) else { continue }
            if good { return .accepted }
            delivery = .notAccepted
        }
        return delivery
    }

    /// Whether the process at this socket accepts the address; nil if none listens.
    private func hand(_ address: String, to path: String) -> Bool? {
        let connection: UnixStream
        do {
            guard let made = try UnixStream(connectingTo: path) else {
                unlink(path)
                return nil
            }
            connection = made
        } catch {
            return nil
        }
        guard connection.peer.uid == geteuid() else { return nil }
        guard (try? connection.send(Array(address.utf8), by: .now + .seconds(5))) == true else { return false }
        connection.endSending()
        // The process checks the address with a few calls to the bank or the issuer, and other addresses may come first.
        return (try? connection.receiveAll(limit: 1, by: .now + .seconds(120))) == [Self.accepted]
    }
}
