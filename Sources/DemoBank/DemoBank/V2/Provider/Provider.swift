import GRDB

/// The bank behind the SCA Service. Only the bank can read the authenticators' messages, and it seals its own for them
/// (saltedge-v2 section 11).
struct Provider: Sendable {
    let bank: Bank

    /// The public half of the provider's key, for the configuration.
    func publicKey() throws -> String { try RSAKeyText.publicKey(of: bank.providerKey) }

    /// The authenticator's public key in `enc_rsa_public_key`; `nil` when there is no usable key in it.
    func connectionKey(in bundle: Envelope) -> String? {
        guard let payload = try? bundle.open(privateKey: bank.providerKey) else { return nil }
        return RSAKeyText.normalizedPublicKey(String(decoding: payload, as: UTF8.self))
    }

    /// Reports success, so that the SCA Service knows token and key. The token is sealed for the authenticator and not
    /// kept here.
    func succeed(_ connection: Connection, user: Int64, in db: Database) throws -> String {
        guard var known = try SCAConnection.fetchOne(db, key: connection.id) else { throw Envelope.Unreadable() }
        let token = RandomText.token()
        known.accessToken = token
        known.publicKey = connection.publicKey
        known.status = .valid
        try known.update(db)

        var connection = connection
        connection.userID = user
        connection.status = .active
        connection.loginExpiresAt = 0
        try connection.update(db)

        let style: Base64Text.Style = bank.base64 == .single ? .single : .wrapped
        let sealed = try SealedToken.seal(token, publicKey: connection.publicKey, style: style)
        return URLText.appending("access_token=" + URLText.formEncoded(sealed), to: connection.returnURL)
    }

    /// Reports failure; the redirect says why.
    func fail(_ connection: Connection, message: String, in db: Database) throws -> String {
        if var known = try SCAConnection.fetchOne(db, key: connection.id) {
            known.status = .authenticationFail
            try known.update(db)
        }
        return failureRedirect(connection.returnURL, message: message)
    }

    func failureRedirect(_ returnURL: String, message: String) -> String {
        URLText.appending(
            "error_class=AUTHENTICATION_FAILED&error_message=" + URLText.formEncoded(message), to: returnURL)
    }
}
