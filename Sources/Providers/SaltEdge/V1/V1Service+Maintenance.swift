import ApprovalModel
import Web

extension V1Service {
    func consents() async throws -> ConsentList {
        let list: LenientList<V1Item>
        do {
            (list, _) = try await call("GET", "/consents", as: LenientList<V1Item>.self, limit: Call.Limit.list)
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

    /// `success:false` with HTTP 200 means that the bank does not know the consent (saltedge-v1 section 9.3).
    func revokeConsent(_ id: BankID) async throws {
        let (said, answer) = try await call("DELETE", "/consents/" + id.percentEncoded, as: V1Success.self)
        guard said.success else {
            throw BankError(.consentGone, "the bank has no such consent", status: answer.status)
        }
    }

    func revokeConnection() async throws {
        let (said, answer) = try await call("DELETE", "/connections", as: V1Success.self)
        guard said.success else {
            throw BankError(.refused, "the bank did not end the connection", status: answer.status)
        }
    }

    /// Claims an action by a PUT without a body (saltedge-v1 section 9.4).
    func claim(_ action: ActionLink) async throws -> ActionAnswer {
        guard action.isFor(connection), case .uuid(let uuid, _)? = (action.content as? SaltEdgeAction)?.target,
            let id = BankID(uuid.untrusted)
        else { throw BankError(.actionRefused, "the action is not for this connection") }
        let (said, answer) = try await call(
            "PUT", "/actions/" + id.percentEncoded, as: ActionData.self, headers: [Self.authorizationType])
        guard said.success else {
            throw BankError(.actionRefused, "the bank did not accept the action", status: answer.status)
        }
        guard said.connectionID == nil || said.connectionID == connection.id else {
            throw BankError(.refused, "the bank answered for another connection", status: answer.status)
        }
        return ActionAnswer(success: true, authorization: said.authorizationID)
    }

    private struct ActionData: Decodable {
        var success: Bool
        var connectionID: BankID?
        var authorizationID: BankID?

        enum CodingKeys: String, CodingKey {
            case success
            case connectionID = "connection_id"
            case authorizationID = "authorization_id"
        }
    }
}
