import GRDB

/// Authenticates a caller of the SCA Service: by the token, and for signed calls by the JWS over the raw body.
struct V2Gate: Sendable {
    let services: BankServices

    /// A caller with a valid token.
    struct Caller: Sendable {
        let call: WireCall
        let bank: Bank
        let connection: SCAConnection

        var errors: V2Errors { V2Errors(style: bank.style) }
    }

    func caller(_ call: WireCall, bank: Bank) async throws -> Caller {
        let errors = V2Errors(style: bank.style)
        guard let token = call.header("Access-Token") else { throw errors.tokenMissing }
        let (connection, hasUser) = try await services.store.read { db in
            let connection = try SCAConnection.filter(Column("accessToken") == token).fetchOne(db)
            return (connection, try Connection.fetchOne(db, key: connection?.id)?.userID != nil)
        }
        guard let connection else { throw errors.connectionNotFound }
        guard connection.status != .revoked else { throw errors.connectionRevoked }
        guard connection.status == .valid else { throw errors.connectionNotFound }
        guard hasUser else { throw errors.userNotFound }
        return Caller(call: call, bank: bank, connection: connection)
    }

    /// The `data` of a signed body: exactly `data` and `exp` at the top (saltedge-v2 section 4.3).
    func signedData(_ caller: Caller) throws -> JSONValue {
        guard let signature = caller.call.header("x-jws-signature") else { throw caller.errors.signatureMissing }
        let document: JSONValue
        do throws(DetachedJWS.Fault) {
            document = try DetachedJWS.verify(
                signature, body: caller.call.body, publicKey: caller.connection.publicKey ?? "",
                now: services.clock.now)
        } catch {
            throw caller.errors.signature(error)
        }
        guard let data = document["data"], data.object != nil, document.object?.count == 2 else {
            throw caller.errors.wrongRequest("the body must be an object of data and exp")
        }
        return data
    }
}
