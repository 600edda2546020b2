import GRDB

/// The bank's database: SQLite in a file, or in memory.
struct Store: Sendable {
    let queue: DatabaseQueue

    init(path: String?) throws {
        queue = try path.map { try DatabaseQueue(path: $0) } ?? DatabaseQueue()
        try Schema.migrator.migrate(queue)
        try queue.write { db in
            guard try Bank.fetchCount(db) == 0 else { return }
            var bank = try Bank(code: Bank.defaultCode, name: "Demo Bank")
            try bank.insert(db)
        }
    }

    func read<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.read(work)
    }

    func write<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await queue.write(work)
    }
}
