/// Where grants are kept, sealed. Each change is on disk when its function returns, and nothing comes between reading and writing it.
/// Errors are `StoreError`s and those of the vault.
public protocol GrantStore: Sendable {
    /// The oldest first.
    func grants() throws -> [ProgramGrant]
    /// Adds a grant in place of these. Throws `StoreError` `notFound` when its session is gone.
    func add(_ grant: ProgramGrant, replacing former: [String]) throws
    /// Changes a grant, and returns it as it is then. Throws `StoreError` `notFound` when it is gone.
    func change(_ id: String, _ body: (inout ProgramGrant) -> Void) throws -> ProgramGrant
    /// Removes those that are there.
    func removeGrants(_ ids: [String]) throws
}
