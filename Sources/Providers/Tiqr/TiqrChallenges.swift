import Basics
import FoundationEssentials
import ApprovalModel
import Synchronization

/// The challenges from links that are not answered yet; kept only in memory.
final class TiqrChallenges: Sendable {
    struct Waiting: Sendable {
        var challenge: TiqrChallenge
        var receivedAt: Date
        /// Whether a page led here by the link; else the person brought it.
        var isClicked: Bool
        /// Whether it stands in the list; otherwise only a caller that knows its id finds it.
        var isListed: Bool
    }

    private struct Key: Hashable {
        var connection: ConnectionGUID
        var id: BankID
    }

    /// Seconds in which a challenge is answered: the link has no time, and most servers allow as many.
    static let lifetime: Double = 180
    /// More than any person has waiting: a page may click without end.
    private static let most = 50

    private let waiting = Mutex<[Key: Waiting]>([:])

    /// Adds a challenge. If it is already waiting, the time of the first link counts.
    func take(_ new: Waiting, _ id: BankID, of connection: ConnectionGUID) throws(BankError) {
        let isTaken = waiting.withLock { waiting in
            waiting = waiting.filter { !$0.value.isOver(at: new.receivedAt) }
            let key = Key(connection: connection, id: id)
            if let known = waiting[key], known.challenge == new.challenge {
                waiting[key]?.isListed = known.isListed || new.isListed
                return true
            }
            guard waiting[key] != nil || waiting.count < Self.most else { return false }
            waiting[key] = new
            return true
        }
        guard isTaken else { throw BankError(.refused, "\(Self.most) challenges wait already") }
    }

    /// The challenges of one connection that have not expired.
    func listed(of connection: ConnectionGUID, at now: Date) -> [(BankID, Waiting)] {
        waiting.withLock { waiting in
            waiting = waiting.filter { !$0.value.isOver(at: now) }
            return waiting.filter { $0.key.connection == connection && $0.value.isListed }.map { ($0.key.id, $0.value) }
        }
    }

    func find(_ id: BankID, of connection: ConnectionGUID) -> Waiting? {
        waiting.withLock { $0[Key(connection: connection, id: id)] }
    }

    func remove(_ id: BankID, of connection: ConnectionGUID) {
        waiting.withLock { $0[Key(connection: connection, id: id)] = nil }
    }

    func forget() { waiting.withLock { $0 = [:] } }
}

extension TiqrChallenges.Waiting {
    var expiresAt: Date { receivedAt.addingTimeInterval(TiqrChallenges.lifetime) }

    func isOver(at now: Date) -> Bool { expiresAt <= now }
}
