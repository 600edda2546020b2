/// Keeps, lends and destroys the secrets of connections, sealed, by names that their providers declare. Implemented by an
/// unlocked vault.
package protocol KeyStore: Sendable {
    /// Seals and stores these secrets, all or none.
    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws
    /// Throws `SecretServiceError` when the secret is missing or damaged.
    func load<Value>(_ name: SecretName<Value>, of id: KeyID) throws -> Value
    /// Reads all secrets in one call, still sealed, so that the next use of each needs no call of its own: for a poll of
    /// many banks. A secret that cannot be read now is read again, and may fail, when it is used.
    func readAhead()
    /// Destroys the secret of this name alone.
    func destroy(_ name: String, of id: KeyID) throws
    /// Destroys all secrets of this id, if there are any.
    func destroy(_ id: KeyID) throws
    /// All ids in this vault, so that secrets which a crash left behind can be found and destroyed.
    func keyIDs() throws -> Set<KeyID>
}
