import CSQLite
import Synchronization

/// The SQLite connection of a `DatabaseFile`, for the time of one turn. Errors are `SQLiteError`s.
final class Database {
    /// Another one for each connection of the process.
    let number = Database.connections.withLock { number in
        number += 1
        return number
    }
    private static let connections = Mutex(0)

    private let handle: OpaquePointer
    /// The statements that are not being run, by their text. There are a few dozen texts.
    private var idle: [String: Statement] = [:]
    private let goOn: (Int32) -> Bool

    init(_ path: String, _ mode: DatabaseFile.Mode, goOn: @escaping (Int32) -> Bool) throws {
        self.goOn = goOn
        let (path, flags) =
            switch mode {
            case .writing: (path, SQLITE_OPEN_READWRITE)
            case .reading: (path, SQLITE_OPEN_READONLY)
            case .unchanging: (Self.unchangingAddress(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            }
        var opened: OpaquePointer?
        // One caller at a time uses it, so SQLite need not lock it as well.
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw SQLiteError(code, opened)
        }
        handle = opened
        sqlite3_extended_result_codes(handle, 1)
        // Called only within calls that this object makes, so it is alive.
        sqlite3_busy_handler(
            handle, { Unmanaged<Database>.fromOpaque($0!).takeUnretainedValue().goOn($1) ? 1 : 0 },
            Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        idle.removeAll()
        sqlite3_close_v2(handle)
    }

    /// SQLite takes each byte of the path as two digits, too.
    private static func unchangingAddress(_ path: String) -> String {
        "file:" + path.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "?immutable=1"
    }

    /// How many rows the last change changed.
    var changesCount: Int { Int(sqlite3_changes64(handle)) }

    /// How many rows were changed since the file was opened.
    var totalChangesCount: Int { Int(sqlite3_total_changes64(handle)) }

    /// Runs one statement to its end, without its rows.
    func execute(_ sql: String, _ arguments: [StoredValue] = []) throws {
        try forEach(sql, arguments) { _ in }
    }

    /// Runs several statements, each with a semicolon behind it.
    func executeAll(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code, handle) }
    }

    /// Gives each row of one statement to `body`, in its order.
    func forEach(_ sql: String, _ arguments: [StoredValue] = [], _ body: (StoredRow) throws -> Void) throws {
        let statement = try idle.removeValue(forKey: sql) ?? Statement(sql, handle)
        defer {
            statement.reset()
            idle[sql] = statement
        }
        try statement.bind(arguments)
        while let row = try statement.next() { try body(row) }
    }

    /// All rows of one statement.
    func rows(_ sql: String, _ arguments: [StoredValue] = []) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        try forEach(sql, arguments) { rows.append($0) }
        return rows
    }

    /// The first row of one statement; nil when there is none.
    func row(_ sql: String, _ arguments: [StoredValue] = []) throws -> StoredRow? { try rows(sql, arguments).first }

    /// The first column of the first row; null when there is no row.
    func value(_ sql: String, _ arguments: [StoredValue] = []) throws -> StoredValue {
        try row(sql, arguments)?.values.first ?? .null
    }

    /// The number that a `SELECT count(*)` gives.
    func count(_ sql: String) throws -> Int { try value(sql).integer.map(Int.init) ?? 0 }

    /// Runs `body` in a transaction, which is undone where `body` throws or the changes cannot be written.
    func transaction<R>(_ begin: String, _ body: (Database) throws -> R) throws -> R {
        try execute(begin)
        do {
            let result = try body(self)
            try execute("COMMIT")
            return result
        } catch {
            // After some errors SQLite has undone it by itself.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }
}

/// A prepared statement. It goes before its connection is closed.
private final class Statement {
    private let handle: OpaquePointer
    private let connection: OpaquePointer
    private let columns: [String]

    init(_ sql: String, _ connection: OpaquePointer) throws {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw SQLiteError(code, connection) }
        handle = prepared
        self.connection = connection
        columns = (0..<sqlite3_column_count(prepared)).map {
            sqlite3_column_name(prepared, $0).map(String.init(cString:)) ?? ""
        }
    }

    deinit { sqlite3_finalize(handle) }

    /// SQLite copies the values.
    func bind(_ arguments: [StoredValue]) throws {
        precondition(arguments.count == Int(sqlite3_bind_parameter_count(handle)), "as many arguments as places")
        for (index, argument) in zip(Int32(1)..., arguments) {
            let code = argument.bind(to: handle, at: index)
            guard code == SQLITE_OK else { throw SQLiteError(code, connection) }
        }
    }

    /// The next row; nil at the end.
    func next() throws -> StoredRow? {
        switch sqlite3_step(handle) {
        case SQLITE_ROW:
            StoredRow(columns: columns, values: columns.indices.map { StoredValue(of: handle, at: Int32($0)) })
        case SQLITE_DONE: nil
        case let code: throw SQLiteError(code, connection)
        }
    }

    /// Its result code repeats that of the last step.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// An error that SQLite reports.
struct SQLiteError: Error {
    /// The extended result code.
    let code: Int32
    /// SQLite's words, which hold no value of a row.
    let words: String

    /// The result code without its extension.
    var primaryCode: Int32 { code & 0xFF }

    init(_ code: Int32, _ connection: OpaquePointer?) {
        self.code = code
        words = connection.flatMap(sqlite3_errmsg).map(String.init(cString:)) ?? "code \(code)"
    }
}
