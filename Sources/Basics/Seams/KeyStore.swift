/// An RSA private key that can be used but not read.
public protocol PrivateKey: AnyObject, Sendable {
    /// SubjectPublicKeyInfo as PEM: 64 characters a line, LF, final LF (saltedge-v1 section 4.1).
    var publicKeyPEM: String { get }
    /// RSASSA-PKCS1-v1_5 with SHA-256 over `message` (RFC 8017 section 8.2).
    func sign(_ message: [UInt8]) throws -> [UInt8]
    /// RSAES-PKCS1-v1_5 decryption of one block (RFC 8017 section 7.2), which the bank protocol requires.
    func decrypt(_ block: [UInt8]) throws -> any Secret
}

/// Makes, keeps, lends and destroys the secrets of connections: key pairs, access tokens, shared secrets. Implemented by an unlocked vault.
public protocol KeyStore: Sendable {
    /// A new RSA key of so many bits in memory that is wiped at the end and never dumped, stored nowhere yet.
    func makeKey(bits: Int) throws -> any PrivateKey
    /// Stores what there is of a key made by `makeKey`, a token and a shared secret, all or nothing, sealed.
    func store(_ secrets: EnrolledSecrets, as id: KeyID) throws
    func key(_ id: KeyID) throws -> any PrivateKey
    func token(_ id: KeyID) throws -> any Secret
    /// What both sides of the connection know.
    func sharedSecret(_ id: KeyID) throws -> any Secret
    /// Reads all keys and tokens at once, still sealed, so that the next use of each needs no call of its own: for a poll of
    /// many banks. What cannot be read now is read, or fails, when it is used.
    func readAhead()
    /// Destroys the token alone: the bank no longer knows the connection.
    func destroyToken(_ id: KeyID) throws
    /// Destroys all of them. Not there is not an error.
    func destroy(_ id: KeyID) throws
    /// All key ids in this vault, so that what a crash left behind can be destroyed.
    func keyIDs() throws -> Set<KeyID>
}
