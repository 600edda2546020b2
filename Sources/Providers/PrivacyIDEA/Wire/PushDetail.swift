/// The keys of the connection's details that this provider stores.
enum PushDetail {
    /// The server's public key for this token, in PEM; absent until the enrollment is confirmed.
    static let serverKey = "serverKey"
    /// The link's one-time credential and its expiry; kept until the server's answer to it is known.
    static let credential = "enrollmentCredential"
    static let credentialEnd = "enrollmentEnd"
}
