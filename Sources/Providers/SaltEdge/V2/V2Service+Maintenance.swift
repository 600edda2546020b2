import ApprovalModel
import Cryptography
import Web

extension V2Service {
    // MARK: The connection

    private struct Shown: Decodable {
        var id: BankID
        var status: String
        var publicKey: String?

        enum CodingKeys: String, CodingKey {
            case id, status
            case publicKey = "public_key"
        }
    }

    /// Proves that the new token works by asking for the connection (saltedge-v2 section 7.1). Throws `connectionGone`
    /// unless it is valid, `refused` when the bank has another public key for it.
    func prove() async throws {
        let (shown, answer) = try await get("/connections/" + connection.id.percentEncoded, as: Shown.self)
        guard shown.id == connection.id else { throw answer.malformed("the bank answered for another connection") }
        guard shown.status == "valid" else {
            throw BankError(.connectionGone, "the bank says that this connection is not valid", status: answer.status)
        }
        guard let theirs = shown.publicKey.flatMap({ try? RSAPublicKey(pem: $0).pem }), theirs == key.publicKeyPEM
        else {
            throw BankError(.refused, "the bank has another public key for this connection", status: answer.status)
        }
    }

    private struct Changed: Decodable {
        var connectionID: BankID?

        enum CodingKeys: String, CodingKey {
            case connectionID = "connection_id"
        }
    }

    /// Sets the bank's address for push messages; an empty token ends them (saltedge-v2 section 7.2).
    func update(pushToken: String) async throws {
        _ = try await call(
            "PATCH", "/connections/\(connection.id.percentEncoded)/update", .object([("push_token", .text(pushToken))]),
            as: Changed.self)
    }

    func revokeConnection() async throws {
        _ = try await call("PUT", "/connections/\(connection.id.percentEncoded)/revoke", as: Changed.self)
    }

    // MARK: Consents

    /// A consent is revoked by the id outside of its envelope.
    func consents() async throws -> ConsentList {
        let list: LenientList<V2Item>
        do {
            (list, _) = try await get("/consents", as: LenientList<V2Item>.self, limit: Call.Limit.list)
        } catch {
            guard error.isOfNoSuchRoute else { throw error }
            return .unsupported
        }
        let (opened, faults) = try await openAll(list.items) { item throws(ItemFault) -> Consent in
            try check(item.id, isOf: item.connectionID)
            return try item.envelope.payload(ConsentMessage.self, of: item.id, key: key).payload
                .consent(item.id, of: connection.guid)
        }
        return ConsentList(consents: opened.sorted(by: ByAge.precedes), faults: list.faults + faults)
    }

    private struct Revoked: Decodable {
        var id: BankID?
    }

    func revokeConsent(_ id: BankID) async throws {
        _ = try await call("PUT", "/consents/\(id.percentEncoded)/revoke", as: Revoked.self)
    }

    // MARK: Instant actions

    private struct Claimed: Decodable {
        var connectionID: BankID?
        var authorizationID: BankID?

        enum CodingKeys: String, CodingKey {
            case connectionID = "connection_id"
            case authorizationID = "authorization_id"
        }
    }

    /// Has the bank create the authorization that belongs to the action (saltedge-v2 section 8.7). An action without
    /// one is finished.
    func claim(_ action: ActionLink) async throws -> ActionAnswer {
        guard action.isFor(connection), case .id(let id, let provider)? = (action.content as? SaltEdgeAction)?.target
        else {
            throw BankError(.actionRefused, "the action is not for this connection")
        }
        let (claimed, answer) = try await call(
            "POST", "/authorizations",
            .object([
                ("provider_id", .text(provider.untrusted)), ("connection_id", .text(connection.id.text)),
                ("action_id", .text(id.untrusted)),
            ]), as: Claimed.self)
        guard claimed.connectionID == nil || claimed.connectionID == connection.id else {
            throw BankError(.refused, "the bank answered for another connection", status: answer.status)
        }
        return ActionAnswer(success: true, authorization: claimed.authorizationID)
    }
}
