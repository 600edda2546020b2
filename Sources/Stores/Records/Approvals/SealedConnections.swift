import Basics
package import Ledger
package import ApprovalModel
package import Keys

/// The connections: a `SealedTable` of the ledger, with one row for each.
package struct SealedConnections: ConnectionStore {
    private static let table = "connection"
    private let table: SealedTable<Connection>
    private let lock: StateLock

    package init(_ database: StateDatabase, sealer: any RowSealer) {
        table = SealedTable(Self.table, in: database, sealer: sealer)
        lock = database.lock
    }

    package func connections() throws -> [Connection] { try table.values().sorted { $0.name < $1.name } }

    package func damagedRows() throws -> Int { try table.damagedRows() }

    package func add(_ connection: Connection) throws -> Connection {
        try table.changing {
            var stored = connection
            stored.name = connection.name.free(among: Set(try connections().map(\.name)))
            try table.insert(stored, as: stored.guid.text, isEnded: stored.status == .inactive)
            return stored
        }
    }

    @discardableResult
    package func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection {
        try table.changing {
            let all = try connections()
            guard var connection = all.first(where: { $0.guid == guid }) else {
                throw StoreError.notFound("the connection is gone")
            }
            try change(&connection)
            guard !all.contains(where: { $0.guid != guid && $0.name == connection.name }) else {
                throw StoreError.nameTaken(connection.name.text)
            }
            try table.update(connection, as: guid.text, isEnded: connection.status == .inactive)
            return connection
        }
    }

    /// Removes a connection, if it is there.
    package func remove(_ guid: ConnectionGUID) throws { try table.remove(guid.text) }

    package func exclusively<R>(_ change: () throws -> R) throws -> R { try lock.hold(change) }

    /// How many connections there are. Nothing else about connections is known before the PIN is entered.
    package static func counts(in database: StateDatabase) throws -> ConnectionCounts {
        ConnectionCounts(
            living: try database.livingRows(of: table), ended: try database.endedRows(of: table))
    }
}
