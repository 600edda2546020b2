import CSQLite
import FoundationEssentials
import Glibc

/// An open SQLite file, used by one caller at a time. Closed when it goes. Errors are `SQLiteError`s, and those of the bodies.
///
/// `Database` is used only in a turn, which `turn` gives to one thread at a time; nothing else here changes after `init`.
final class DatabaseFile: @unchecked Sendable {
    private let database: Database
    private let turn: UnsafeMutablePointer<pthread_mutex_t>

    /// How to open the file. It must exist.
    enum Mode {
        case writing
        case reading
        /// For a file that nobody changes: takes no locks, and needs nothing beside the file.
        case unchanging
    }

    /// `goOn`: called with the number of tries so far while others have the file locked; false ends the wait with `SQLITE_BUSY`.
    init(_ path: String, _ mode: Mode, goOn: @escaping (_ tries: Int32) -> Bool) throws {
        database = try Database(path, mode, goOn: goOn)
        turn = .allocate(capacity: 1)
        // Never locked before; a thread that has its turn may not ask for another.
        pthread_mutex_init(turn, nil)
    }

    deinit {
        // Nobody has a turn, since whoever has one holds this object.
        pthread_mutex_destroy(turn)
        turn.deallocate()
    }

    /// Runs `body` without a transaction.
    func inTurn<R>(_ body: (Database) throws -> R) throws -> R {
        pthread_mutex_lock(turn)
        defer { pthread_mutex_unlock(turn) }
        return try body(database)
    }

    /// Runs `body`, which only reads, in one transaction.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        try inTurn { try $0.transaction("BEGIN DEFERRED", body) }
    }

    /// Runs `body` in one transaction, from the beginning as the only writer. Its changes are on disk when this returns.
    func write<R>(_ body: (Database) throws -> R) throws -> R {
        try inTurn { try $0.transaction("BEGIN IMMEDIATE", body) }
    }
}
