import FoundationEssentials
import GRDB

/// Values of a row that may hold anything, since a disk or another program may have damaged the database. GRDB's own
/// typed subscripts end the process at a value of another type.
extension Row {
    /// The bytes of a column; nil unless it has any.
    func bytes(_ column: String) -> Data? {
        let value: DatabaseValue? = self[column]
        return value.flatMap(Data.fromDatabaseValue)
    }

    func integer(_ column: String) -> Int64? {
        let value: DatabaseValue? = self[column]
        return value.flatMap(Int64.fromDatabaseValue)
    }

    func text(_ column: String) -> String? {
        let value: DatabaseValue? = self[column]
        return value.flatMap(String.fromDatabaseValue)
    }
}

extension DatabaseValue {
    /// The value with its type and length, so that two different rows never give the same bytes.
    var described: [UInt8] {
        let (type, content): (UInt8, [UInt8]) =
            switch storage {
            case .null: (0, [])
            case .int64(let number): (1, bigEndian(number))
            case .double(let number): (2, bigEndian(Int64(bitPattern: number.bitPattern)))
            case .string(let text): (3, Array(text.utf8))
            case .blob(let data): (4, Array(data))
            }
        return [type] + bigEndian(Int64(content.count)) + content
    }
}
