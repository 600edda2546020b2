/// Keeps the connections; each row is sealed.
public protocol ConnectionStore: Sendable {
    /// All connections, by name.
    func connections() throws -> [Connection]
    /// Adds one; its name is made free (`-2`, `-3` …) under the state lock. Returns it as stored.
    func add(_ connection: Connection) throws -> Connection
    /// Changes one under the state lock; throws `StoreError.notFound` when it is gone, `nameTaken` when it cannot have the
    /// name.
    @discardableResult
    func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection
    func remove(_ guid: ConnectionGUID) throws
    /// Runs one change of state that goes beyond the store (keys and row together) under the state lock; calls of this
    /// store inside it do not wait for themselves.
    func exclusively<R>(_ change: () throws -> R) throws -> R
}
