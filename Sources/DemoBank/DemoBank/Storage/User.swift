import FoundationEssentials
import GRDB

/// A customer of one bank.
struct User: Codable, Sendable, FetchableRecord, MutablePersistableRecord {
    static let databaseTableName = "user"

    var id: Int64?
    var bankID: Int64
    var name: String
    var salt: Data
    var passwordKey: Data

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }

    var passwordHash: PasswordHash { PasswordHash(salt: salt, key: passwordKey) }
}
