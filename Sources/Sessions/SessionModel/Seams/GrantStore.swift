/// Where grants are kept, sealed. Each change is atomic, and on disk when its function returns. A note, if one is given, is written
/// in the same transaction.
/// Errors are `StoreError`s and those of the vault.
package protocol GrantStore: Sendable {
    /// The oldest first.
    func grants() throws -> [ProgramGrant]
    /// Adds a grant and removes the `former` ones. Throws `StoreError` `notFound` when its session is gone.
    func add(_ grant: ProgramGrant, replacing former: [String], noting note: SessionNote?) throws
    /// Changes a grant, keeps the note that `body` returns, and returns the changed grant. Throws `StoreError` `notFound` when the
    /// grant is gone.
    func change(_ id: String, _ body: (inout ProgramGrant) throws -> SessionNote?) throws -> ProgramGrant
    /// Removes a grant, if it is there.
    func removeGrant(_ id: String, noting note: SessionNote?) throws
}
