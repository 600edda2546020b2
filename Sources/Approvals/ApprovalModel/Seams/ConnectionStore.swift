/// Keeps the connections; each row is sealed.
package protocol ConnectionStore: Sendable {
    /// All connections that can be read, ordered by name.
    func connections() throws -> [Connection]
    /// How many connections are there but cannot be read.
    func damagedRows() throws -> Int
    /// Adds a connection, with `-2`, `-3` … after its name if the name is taken, under the state lock. Returns it as
    /// stored.
    func add(_ connection: Connection) throws -> Connection
    /// Changes a connection under the state lock. Throws `StoreError.notFound` if it is gone, `nameTaken` if its new
    /// name is taken.
    @discardableResult
    func update(_ guid: ConnectionGUID, _ change: (inout Connection) throws -> Void) throws -> Connection
    func remove(_ guid: ConnectionGUID) throws
    /// Runs a change that covers more than this store (for example keys and row together) under the state lock. Calls
    /// of this store inside it do not wait for the lock again.
    func exclusively<R>(_ change: () throws -> R) throws -> R
}
