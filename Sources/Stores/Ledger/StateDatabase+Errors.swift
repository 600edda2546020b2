import Basics
import CSQLite
import Glibc
import Keys

extension StateDatabase {
    /// Turns errors of SQLite into `StoreError`s. Other errors pass unchanged.
    func translatingErrors<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as SQLiteError {
            switch error.primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED:
                throw directory.lockFault() ?? StoreError.busy("another process holds the database")
            case SQLITE_FULL:
                throw StateDirectory.unusable(directory.database, ENOSPC)
            case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_NOMEM:
                // SQLite does not pass on the system's reason.
                throw directory.fault()
                    ?? StoreError.unusable("the database \(directory.database) cannot be used (\(error.words))")
            default:
                throw damaged("the database is damaged (\(error.words))")
            }
        }
    }

    /// The error for a database that cannot be read as a whole.
    func damaged(_ reason: String) -> StoreError {
        let home = directory.path
        return StoreError.damaged(
            reason,
            remedy: "restore \(home) from a backup; or put it away and start anew: mv \(home) \(home).damaged")
    }
}
