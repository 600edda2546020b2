/// The names under which a connection keeps what only this provider reads.
enum Detail {
    /// The server's public key for this token, in PEM; none before the enrollment is confirmed.
    static let serverKey = "serverKey"
    /// The link's one-time credential, and until when it serves: while the server's answer to them is not known.
    static let credential = "enrollmentCredential"
    static let credentialEnd = "enrollmentEnd"
}
