package import ApprovalModel

/// The answer for one connection when several banks are asked at once.
package struct BankAnswer<Value: Sendable>: Sendable {
    package var connection: Connection
    package var result: Result<Value, any Error>

    init(connection: Connection, result: Result<Value, any Error>) {
        self.connection = connection
        self.result = result
    }

    init(_ connection: Connection, _ ask: () async throws -> Value) async {
        self.connection = connection
        do {
            result = .success(try await ask())
        } catch {
            result = .failure(error)
        }
    }
}

extension Workspace {
    /// Asks the banks of these connections at the same time, leaving out inactive connections. Keeps the order of
    /// `connections`.
    ///
    /// - Parameter tellsEnded: whether inactive connections are not left out. Their answer is then
    ///   `LookupError.inactive`, which `ask` must throw before it calls the bank.
    func askingEach<Value: Sendable>(
        of connections: [Connection], tellsEnded: Bool = false,
        _ ask: @escaping @Sendable (Connection) async throws -> Value
    ) async -> [BankAnswer<Value>] {
        let active = connections.filter(\.isKnownToBank)
        if active.count > 1 { vault.readAhead() }
        return await withTaskGroup { group in
            for (index, connection) in (tellsEnded ? connections : active).enumerated() {
                group.addTask { (index, await BankAnswer(connection) { try await ask(connection) }) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
