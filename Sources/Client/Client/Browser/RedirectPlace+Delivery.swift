package import Basics
import Glibc
import LocalSocket

extension RedirectPlace {
    package enum Delivery: Sendable {
        /// Nobody waits.
        case nobody
        /// The answer of the process that accepted the address: it connected its bank, or signed in. If none did, the answer that the
        /// person can do something about, if there is one.
        case answered(RedirectOutcome)
    }

    /// Sends an address to one waiting process after the other until one accepts it. Removes the sockets of processes that were
    /// killed.
    package func deliver(_ address: String) -> Delivery {
        var delivery = Delivery.nobody
        for path in all() {
            guard let outcome = hand(address, to: path) else { continue }
            if outcome == .accepted { return .answered(outcome) }
            if case .answered(.locked) = delivery { continue }
            delivery = .answered(outcome)
        }
        return delivery
    }

    /// The outcome of the address at the process behind this socket; nil if no process listens.
    private func hand(_ address: String, to path: String) -> RedirectOutcome? {
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
        guard (try? connection.send(Array(address.utf8), by: .now + .seconds(5))) == true else {
            return .notAccepted
        }
        connection.endSending()
        // The process checks the address with a few calls to the bank or the issuer, and other addresses may come first.
        return Self.outcome(of: (try? connection.receiveAll(limit: 1, by: .now + .seconds(120)))?.first)
    }
}
