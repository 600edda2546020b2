public import Basics
import FoundationEssentials
import GRDB
public import SCA

/// The connections in the database, each sealed as a whole under a name that holds its row's key.
public struct SealedConnections: ConnectionStore {
    private let database: StateDatabase
    private let sealer: any RowSealer
    private let opened = OpenedConnections()

    public init(_ database: StateDatabase, sealer: any RowSealer) {
        self.database = database
        self.sealer = sealer
    }

    public func connections() throws -> [Connection] {
        let rows = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT key, content FROM connection").map { row in
                (key: row["key"] as Data, content: row["content"] as Data)
            }
        }
        return try opened.read(rows ?? [], open: open).sorted { $0.name < $1.name }
    }

    public func add(_ connection: Connection) throws -> Connection {
        try database.lock.hold {
            try sealer.demandCurrent()
            var stored = connection
            stored.name = connection.name.free(among: Set(try connections().map(\.name)))
            let (key, content) = try seal(stored)
            try database.write { db in
                try db.execute(
                    sql: "INSERT INTO connection (key, content, ended) VALUES (?, ?, ?)",
                    arguments: [key, content, stored.status == .inactive])
            }
            return stored
        }
    }

    @discardableResult
    public func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection {
        try database.lock.hold {
            try sealer.demandCurrent()
            let all = try connections()
            guard var connection = all.first(where: { $0.guid == guid }) else {
                throw StoreError(.notFound, "the connection is gone")
            }
            try change(&connection)
            guard !all.contains(where: { $0.guid != guid && $0.name == connection.name }) else {
                throw StoreError(.nameTaken, "another connection is called \"\(connection.name.text)\"")
            }
            let (key, content) = try seal(connection)
            try database.write { db in
                try db.execute(
                    sql: "UPDATE connection SET content = ?, ended = ? WHERE key = ?",
                    arguments: [content, connection.status == .inactive, key])
            }
            return connection
        }
    }

    /// Not there is not an error.
    public func remove(_ guid: ConnectionGUID) throws {
        let key = try key(of: guid)
        try database.write { db in
            try db.execute(sql: "DELETE FROM connection WHERE key = ?", arguments: [key])
        }
    }

    public func exclusively<R>(_ change: () throws -> R) throws -> R {
        try database.lock.hold(change)
    }

    private func key(of guid: ConnectionGUID) throws -> Data {
        Data(try sealer.authenticate(Array(guid.text.utf8), for: "connection"))
    }

    private func seal(_ connection: Connection) throws -> (key: Data, content: Data) {
        let key = try key(of: connection.guid)
        let plaintext = Array(try JSONEncoder().encode(connection))
        return (key, Data(try sealer.seal(plaintext, as: Self.name(key))))
    }

    private func open(_ content: Data, key: Data) throws -> Connection {
        do {
            let plaintext = try sealer.open(Array(content), as: Self.name(key))
            return try JSONDecoder().decode(Connection.self, from: Data(plaintext))
        } catch {
            throw StoreError(.damaged, "a connection's row was changed")
        }
    }

    private static func name(_ key: Data) -> String { "connection " + hexadecimal(Array(key)) }
}

extension StateDatabase {
    /// How many connections their banks no longer know: all that is told of connections before the PIN.
    public func endedConnections() throws -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM connection WHERE ended") ?? 0 } ?? 0
    }
}

func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
