/// An error that brings its own text for the person and its own exit code. For errors of targets that `Authenticator`,
/// where the other errors get theirs, does not import.
package protocol PresentableError: Error {
    /// The failure that the person reads.
    var failure: Failure { get }
}
