import Foundation
import GRDB
@testable import Ledger

extension TestHome {
    /// Runs SQL as a disk would damage the file: nothing is checked, whatever the tables' definitions say.
    func damage(_ sql: String) throws {
        let definitions = "SELECT rowid, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA writable_schema = ON") }
        let path = try directory().database
        // Each connection reads the definitions anew.
        let kept = try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { db in
            let kept = try Row.fetchAll(db, sql: definitions)
            try db.execute(
                sql: """
                    UPDATE sqlite_master SET sql = replace(replace(sql, 'NOT NULL', ''), 'STRICT', '') WHERE type = 'table'
                    """)
            return kept
        }
        try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { try $0.execute(sql: sql) }
        try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction { db in
            for row in kept {
                try db.execute(
                    sql: "UPDATE sqlite_master SET sql = ? WHERE rowid = ?",
                    arguments: [row["sql"] as String, row["rowid"] as Int64])
            }
        }
    }

    /// Makes the home's files what they were (`files`).
    func restore(_ files: [String: Data]) throws {
        for name in try self.files().keys { try FileManager.default.removeItem(atPath: path + "/" + name) }
        for (name, content) in files { try write(content, name) }
    }

    func write(_ content: Data, _ name: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path + "/" + name, contents: content, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }
}
