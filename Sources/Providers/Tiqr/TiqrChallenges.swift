import Basics
import FoundationEssentials
import SCA
import Synchronization

/// The challenges that links brought and that nobody has answered yet: in memory alone.
final class TiqrChallenges: Sendable {
    struct Waiting: Sendable {
        var challenge: TiqrChallenge
        var authorization: Authorization
    }

    private struct Key: Hashable {
        var connection: ConnectionGUID
        var id: BankID
    }

    private let waiting = Mutex<[Key: Waiting]>([:])

    /// Takes one; the same once more keeps the time of the first.
    func take(_ new: Waiting, at now: Date) {
        waiting.withLock { waiting in
            let key = Key(connection: new.authorization.connection, id: new.authorization.id)
            let known = waiting[key]?.authorization
            guard known?.fingerprint != new.authorization.fingerprint || known?.isExpired(at: now) == true else {
                return
            }
            waiting[key] = new
        }
    }

    /// Those of one connection that are not over.
    func all(of connection: ConnectionGUID, at now: Date) -> [Authorization] {
        waiting.withLock { waiting in
            waiting = waiting.filter { !$0.value.authorization.isExpired(at: now) }
            return waiting.filter { $0.key.connection == connection }.map(\.value.authorization)
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
