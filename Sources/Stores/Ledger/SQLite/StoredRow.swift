import CSQLite
import FoundationEssentials

/// A row as it is stored. Its values may be of any type, since a disk or another program may have damaged the database.
struct StoredRow {
    let columns: [String]
    let values: [StoredValue]

    /// The bytes of a column; nil unless it has any.
    func bytes(_ column: String) -> Data? { self[column].bytes }

    func integer(_ column: String) -> Int64? { self[column].integer }

    func text(_ column: String) -> String? { self[column].text }

    private subscript(_ column: String) -> StoredValue {
        columns.firstIndex(of: column).map { values[$0] } ?? .null
    }
}

/// A value of SQLite's five types.
enum StoredValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)

    var bytes: Data? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var text: String? { if case .text(let text) = self { text } else { nil } }

    static func bytes(_ bytes: [UInt8]) -> StoredValue { .bytes(Data(bytes)) }
}

extension StoredValue {
    /// The value of a column of the row that the statement stands at.
    init(of statement: OpaquePointer, at column: Int32) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: self = .text(String(decoding: Self.content(statement, column), as: UTF8.self))
        case SQLITE_BLOB: self = .bytes(Data(Self.content(statement, column)))
        default: self = .null
        }
    }

    /// Valid until the statement's next step. SQLite gives no pointer for an empty value.
    private static func content(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(
            start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    /// Gives the value to a place of a statement; returns SQLite's code.
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        // SQLITE_TRANSIENT: SQLite makes a copy, since the pointers below end with their closures.
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        return switch self {
        case .null: sqlite3_bind_null(statement, place)
        case .integer(let number): sqlite3_bind_int64(statement, place, number)
        case .real(let number): sqlite3_bind_double(statement, place, number)
        case .text(let text):
            text.utf8CString.withUnsafeBufferPointer {
                // Without the null byte at the end.
                sqlite3_bind_text64(
                    statement, place, $0.baseAddress, UInt64($0.count - 1), copied, UInt8(SQLITE_UTF8))
            }
        case .bytes(let data) where data.isEmpty: sqlite3_bind_zeroblob(statement, place, 0)
        case .bytes(let data):
            data.withUnsafeBytes { sqlite3_bind_blob64(statement, place, $0.baseAddress, UInt64($0.count), copied) }
        }
    }
}
