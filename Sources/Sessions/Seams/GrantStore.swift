/// Where grants are kept, sealed. Each change is on disk when its function returns, and nothing comes between reading and writing it. A
/// note is written in the same transaction, if one is given.
/// Errors are `StoreError`s and those of the vault.
public protocol GrantStore: Sendable {
    /// The oldest first.
    func grants() throws -> [ProgramGrant]
    /// Adds a grant in place of these. Throws `StoreError` `notFound` when its session is gone.
    func add(_ grant: ProgramGrant, replacing former: [String], noting note: SessionNote?) throws
    /// Changes a grant, keeps the note that `body` returns, and returns the grant as it is then. Throws `StoreError` `notFound` when it is gone.
    func change(_ id: String, _ body: (inout ProgramGrant) throws -> SessionNote?) throws -> ProgramGrant
    /// Removes a grant, if it is there.
    func removeGrant(_ id: String, noting note: SessionNote?) throws
}
