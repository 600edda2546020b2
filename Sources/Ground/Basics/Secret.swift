/// Bytes that must not leave this process: a PIN, a token, a private key, an opened payload.
///
/// The live type is `LockedBytes` of `Cryptography`: memory that is locked, left out of core dumps and wiped at the end of
/// its life. A secret has no description, no `==` and no encoding; code that needs the bytes borrows them for one call.
package protocol Secret: AnyObject, Sendable {
    /// Number of bytes; 0 once they were wiped.
    var count: Int { get }
    /// Lends the bytes for the length of one call; the pointer must not outlive it.
    func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
    /// Overwrites the bytes now, even where other references to this secret remain. Only the owner of the secret calls
    /// this, and only while nobody borrows the bytes.
    func wipe()
}
