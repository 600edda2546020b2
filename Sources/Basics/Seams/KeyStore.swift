/// An RSA private key that can be used but not read.
public protocol PrivateKey: AnyObject, Sendable {
    /// SubjectPublicKeyInfo as PEM: 64 characters a line, LF, final LF (saltedge-v1 section 4.1).
    var publicKeyPEM: String { get }
    /// RSASSA-PKCS1-v1_5 with SHA-256 over `message` (RFC 8017 section 8.2).
    func sign(_ message: [UInt8]) throws -> [UInt8]
    /// RSAES-PKCS1-v1_5 decryption of one block (RFC 8017 section 7.2), which the bank protocol requires.
    func decrypt(_ block: [UInt8]) throws -> any Secret
}

/// Makes, keeps, lends and destroys the secrets of connections: key pairs, access tokens, shared secrets. Implemented
/// by an unlocked vault.
public protocol KeyStore: Sendable {
    /// Makes an RSA key of this size. It is not stored yet; its memory is left out of core dumps and wiped at the end.
    func makeKey(bits: Int) throws -> any PrivateKey
    /// Seals and stores those secrets that are there, all or none. The key must come from `makeKey`.
    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws
    func key(_ id: KeyID) throws -> any PrivateKey
    func token(_ id: KeyID) throws -> any Secret
    /// The secret that the bank has, too.
    func sharedSecret(_ id: KeyID) throws -> any Secret
    /// Reads all keys and tokens in one call, still sealed, so that the next use of each needs no call of its own: for
    /// a poll of many banks. A secret that cannot be read now is read again, and may fail, when it is used.
    func readAhead()
    /// Destroys the token alone: the bank no longer knows the connection.
    func destroyToken(_ id: KeyID) throws
    /// Destroys all secrets of this id, if there are any.
    func destroy(_ id: KeyID) throws
    /// All ids in this vault, so that secrets which a crash left behind can be found and destroyed.
    func keyIDs() throws -> Set<KeyID>
}
