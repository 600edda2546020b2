import GRDB

extension Provider {
    /// The message that the SCA Service forwards: the authenticator's raw body and signature, as text (saltedge-v2
    /// section 11).
    struct ForwardedDecision: Sendable {
        var authorizationID: Int64
        var confirm: Bool
        var originalRequest: String
        var originalSignature: String
        var userAgent: String?
    }

    /// The provider's answer to a decision.
    enum Verdict: Sendable {
        /// The final status, and how often the item is listed as processing before.
        case accepted(finalStatus: String, polls: Int)
        case notSigned(DetachedJWS.Fault)
        case unreadable
        case refused
    }

    /// Verifies the signature again with the provider's own copy of the key, decrypts, compares the code, and decides.
    func decide(_ forwarded: ForwardedDecision, at now: Double, in db: Database) throws -> Verdict {
        guard var item = try Authorization.fetchOne(db, key: forwarded.authorizationID),
            let connection = try Connection.fetchOne(db, key: item.connectionID)
        else { return .unreadable }
        let body = Array(forwarded.originalRequest.utf8)
        let request: JSONValue
        do throws(DetachedJWS.Fault) {
            request = try DetachedJWS.verify(
                forwarded.originalSignature, body: body, publicKey: connection.publicKey, now: now)
        } catch {
            return .notSigned(error)
        }
        guard let bundle = Envelope(request["data"]), let payload = try? bundle.open(privateKey: bank.providerKey),
            let members = JSONValue(parsing: payload), let code = members["authorization_code"]?.string,
            let type = members["user_authorization_type"]?.string
        else { return .unreadable }

        let polls = item.oddities.polls ?? bank.processingPolls
        guard code == item.code else { return try wrongCode(item, polls: polls, at: now, in: db) }
        let note = Authorization.DecisionNote(
            authorizationType: type, geolocation: members["geolocation"]?.string, userAgent: forwarded.userAgent)
        try item.decide(confirm: forwarded.confirm, note: note, at: now, in: db)
        let word = forwarded.confirm ? SCAAuthorization.Word.confirmed : SCAAuthorization.Word.denied
        return .accepted(finalStatus: item.oddities.outcome ?? word, polls: polls)
    }

    /// Real banks' answer to a wrong code is not known (saltedge-v2 section 13), so a test can choose it.
    private func wrongCode(_ item: Authorization, polls: Int, at now: Double, in db: Database) throws -> Verdict {
        var item = item
        switch bank.wrongCode {
        case .refused: return .refused
        case .pending: return .accepted(finalStatus: SCAAuthorization.Word.pending, polls: polls)
        case .denied: item.status = .denied
        case .error: item.status = .error
        }
        item.decidedAt = now
        try item.update(db)
        return .accepted(finalStatus: bank.wrongCode.rawValue, polls: polls)
    }
}
