import Basics
import FoundationEssentials
import Glibc
import Keys
import Synchronization

/// The SQLite database of one home, and the PIN record in it. `SealedTable` and `SealedChain` are the other contents.
///
/// The database is opened when it is first needed, and created when something is first written. A home that does not
/// exist reads like one without a PIN. Errors are `StoreError`s: `newerSchema`, `unusable`, `busy`, `damaged`.
package final class StateDatabase: Sendable {
    /// The home that the database belongs to.
    package let directory: StateDirectory
    /// The state lock. Hold it around changes that belong together, such as the commit of an enrollment; the calls
    /// inside may take it again.
    package let lock: StateLock
    /// Held while a PIN is checked. A check takes a fraction of a second, so within a minute's wait hundreds of checks
    /// finish.
    let pinLock: StateLock
    private let opened = Mutex<DatabaseFile?>(nil)
    /// A connection that cannot write, for callers that only read.
    private let looking = Mutex<DatabaseFile?>(nil)

    /// The PIN record that was read last, and as it is stored.
    let lastRecord = Mutex<(stored: Data, record: PINRecord)?>(nil)

    /// `patience`: how long to wait for the state lock.
    package init(_ directory: StateDirectory, patience: Duration = .seconds(10)) {
        self.directory = directory
        lock = StateLock(directory, patience: patience)
        pinLock = StateLock(directory, file: directory.pinLockFile, patience: patience * 6)
    }

    /// Runs `body` in one transaction; nil when there is no database.
    func read<R>(_ body: (Database) throws -> R) throws -> R? {
        guard let queue = try readable() else { return nil }
        return try translatingErrors { try queue.read(body) }
    }

    /// Runs `body`, a single query, without a transaction, which takes half as long as `read`. Nil when there is no database.
    func readOnce<R>(_ body: (Database) throws -> R) throws -> R? {
        guard let queue = try readable() else { return nil }
        return try translatingErrors { try queue.inTurn(body) }
    }

    /// Like `readOnce`, but runs `body` only if anything was committed since `known`. Returns the present stamp with
    /// the result of `body`; nil when there is no database.
    func readOnce<R>(
        unless known: ContentStamp?, _ body: (Database) throws -> R
    ) throws -> (stamp: ContentStamp, changed: R?)? {
        guard let queue = try readable() else { return nil }
        return try translatingErrors {
            try queue.inTurn { db in
                // Taken before `body` reads: a commit between the two makes the next call read again.
                let stamp = ContentStamp(
                    connection: db.number, byOthers: try db.value("PRAGMA data_version").integer ?? 0,
                    byUs: db.totalChangesCount)
                return (stamp, stamp == known ? nil : try body(db))
            }
        }
    }

    /// Runs `body` in one transaction under the state lock. Its changes are on disk when this returns.
    func write<R>(_ body: (Database) throws -> R) throws -> R {
        try lock.hold {
            let queue = try existing() ?? openOrMigrate()
            return try translatingErrors { try queue.write(body) }
        }
    }

    /// Removes every row, then all remains of rows in the files. The schema stays.
    package func destroyEverything() throws {
        guard try exists() else { return }
        try lock.hold {
            guard let queue = try existing() else { return }
            try translatingErrors {
                try queue.write { db in
                    for table in Schema.tables { try db.execute("DELETE FROM \(table)") }
                }
                try queue.inTurn { db in
                    try db.execute("VACUUM")
                    try Self.emptyJournal(db)
                }
            }
        }
    }

    /// Moves the journal's content into the database and truncates the journal.
    static func emptyJournal(_ db: Database) throws {
        // The first column says whether others kept it from doing so.
        if try db.value("PRAGMA wal_checkpoint(TRUNCATE)").integer == 1 {
            throw StoreError.busy("another process reads the database; its journal could not be emptied")
        }
    }

    /// Closes the connections, with their caches; the next call opens new ones.
    func closeConnections() {
        opened.withLock { $0 = nil }
        looking.withLock { $0 = nil }
    }

    /// The database, opened (perhaps for reading only), with the current schema; nil when there is none.
    private func readable() throws -> DatabaseFile? {
        if let queue = opened.withLock({ $0 }) ?? looking.withLock({ $0 }) { return queue }
        guard try exists() else { return nil }
        do { return try looked() ?? existing() } catch let error as StoreError {
            guard case .unusable = error, let queue = try? unchanging() else { throw error }
            return queue
        }
    }

    /// A connection for a home that cannot be written: it needs no shared memory beside the file, and takes no locks.
    /// Nil where the file alone is not the whole database, or the schema is older.
    private func unchanging() throws -> DatabaseFile? {
        guard (try FileStatus(of: directory.database + "-wal")?.size ?? 0) == 0 else { return nil }
        let queue = try open(.unchanging)
        return try demandKnownSchema(queue) == Schema.version ? queue : nil
    }

    /// A connection that cannot write, for when a crash left a journal: closing another connection could then move the
    /// journal into the database, and reading alone must not change the file. Nil when there is no journal, or the
    /// schema is older.
    private func looked() throws -> DatabaseFile? {
        guard (try FileStatus(of: directory.database + "-wal")?.size ?? 0) > 0 else { return nil }
        return try looking.withLock { looking in
            if looking == nil {
                let queue = try open(.reading)
                if try demandKnownSchema(queue) == Schema.version { looking = queue }
            }
            return looking
        }
    }

    /// The database, opened for writing, with the current schema; nil when there is none.
    func existing() throws -> DatabaseFile? {
        if let queue = opened.withLock({ $0 }) { return queue }
        guard try exists() else { return nil }
        _ = try looked()
        let current = try opened.withLock { opened in
            if opened == nil {
                let queue = try open(.writing)
                if try demandKnownSchema(queue) == Schema.version { opened = queue }
            }
            return opened
        }
        return try current ?? lock.hold(openOrMigrate)
    }

    /// Whether there is a database. An empty file is one whose creation was interrupted, and does not count.
    private func exists() throws -> Bool {
        guard try directory.exists(), let file = try FileStatus(of: directory.database), file.size > 0 else {
            return false
        }
        try file.demandPrivate("the database", at: directory.database, mode: "600")
        return true
    }

    /// Creates the database, or migrates an older one, under the state lock.
    private func openOrMigrate() throws -> DatabaseFile {
        // SQLite would create the file with the mode that the umask leaves. Its journal takes the mode of the file.
        let descriptor = Glibc.open(directory.database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 {
            fchmod(descriptor, 0o600)
            // Closed before SQLite opens the file, since closing it later would drop SQLite's own locks on it.
            close(descriptor)
        } else if errno != EEXIST {
            throw StateDirectory.unusable(directory.database, errno)
        }
        return try opened.withLock { opened in
            if let queue = opened { return queue }
            let queue = try open(.writing)
            try demandKnownSchema(queue)
            try translatingErrors {
                try queue.inTurn { try $0.execute("PRAGMA journal_mode = WAL") }
                try Schema.migrate(queue)
            }
            opened = queue
            return queue
        }
    }

    /// How long to wait between two tries to lock the database, in microseconds, and how often: 10 seconds.
    private static let pause: UInt32 = 5_000
    private static let patience = 2_000

    private func open(_ mode: DatabaseFile.Mode) throws -> DatabaseFile {
        try translatingErrors {
            let file = try DatabaseFile(directory.database, mode) { [directory] tries in
                // SQLite takes a file that cannot be locked for one that others have locked.
                if tries == 0, directory.lockFault() != nil { return false }
                usleep(Self.pause)
                return tries < Self.patience
            }
            // VACUUM keeps its temporary data in memory, so that nothing is written outside of the home.
            try file.inTurn {
                try $0.executeAll("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY;")
            }
            return file
        }
    }

    /// The version of the schema. Throws `StoreError` `newerSchema` when this release does not know it.
    @discardableResult
    private func demandKnownSchema(_ queue: DatabaseFile) throws -> Int {
        try translatingErrors {
            let version = try queue.read { try Schema.version(of: $0) }
            guard version >= 0 else { throw damaged("the database has no version of its schema") }
            guard version <= Schema.version else {
                throw StoreError.newerSchema(version, known: Schema.version)
            }
            return version
        }
    }
}

/// Differs after each commit that changes rows, by any process.
struct ContentStamp: Equatable, Sendable {
    /// Whose the numbers below are.
    fileprivate let connection: Int
    /// Changes with each commit of another connection (SQLite's `PRAGMA data_version`).
    fileprivate let byOthers: Int64
    /// The rows that this connection changed (`sqlite3_total_changes`).
    fileprivate let byUs: Int
}
