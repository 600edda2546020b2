import Basics
import ApprovalModel
import Cryptography
import Web

extension V1Service {
    func authorizations() async throws -> AuthorizationList { try await authorizations(OpenedItems()) }

    func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList {
        let (list, answer) = try await list()
        let (opened, faults) = try await openChanged(list.items, known) { item throws(ItemFault) in
            try authorization(in: item)
        }
        return AuthorizationList(
            authorizations: opened.sorted(by: ByAge.precedes), faults: list.faults + faults,
            listed: list.listed, bankTime: answer.serverTime, receivedAt: answer.receivedAt)
    }

    func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList {
        let (list, answer) = try await list()
        let (opened, faults) = try await openChanged(list.items, known) { item throws(ItemFault) in
            WaitingItem(try authorization(in: item))
        }
        return WaitingList(items: opened, faults: list.faults + faults, receivedAt: answer.receivedAt)
    }

    private func list() async throws -> (data: LenientList<V1Item>, answer: Answer) {
        try await call("GET", "/authorizations", as: LenientList<V1Item>.self, limit: Call.Limit.list)
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        let (item, answer) = try await call("GET", "/authorizations/" + id.percentEncoded, as: V1Item.self)
        guard item.id == id else { throw answer.malformed("the bank answered with another item") }
        do {
            return try authorization(in: item)
        } catch {
            throw answer.malformed(error.reason)
        }
    }

    /// v1 has no call for the status of an authorization.
    func status(of id: BankID) async throws -> AuthorizationStatus? { nil }

    func prove() async throws {
        _ = try await call("GET", "/authorizations", as: LenientList<V1Item>.self, limit: Call.Limit.list)
    }

    private func authorization(in item: V1Item) throws(ItemFault) -> Authorization {
        let id = item.id
        try check(id, isOf: item.connectionID)
        let (payload, plaintext) = try item.envelope.payload(V1Payload.self, of: id, key: key)
        guard payload.id == id, payload.connectionID == connection.id else {
            throw .unopened(id)
        }
        let members = try plaintext.members(of: id)
        return try authorization(
            id, .pending, title: payload.title,
            parts: [.textOrPage(BankText(payload.description))] + members.unknown(besides: V1Payload.names),
            code: payload.code, createdAt: payload.createdAt, expiresAt: payload.expiresAt, plaintext: plaintext)
    }
}

/// An envelope as v1 lists it (saltedge-v1 section 7).
struct V1Item: Decodable, SealedItem {
    var id: BankID
    var connectionID: BankID
    var algorithm: String?
    var key: String
    var iv: String
    var data: String

    enum CodingKeys: String, CodingKey {
        case id, algorithm, key, iv, data
        case connectionID = "connection_id"
    }

    var sealedForm: [String] { [id.text, connectionID.text, algorithm ?? "", key, iv, data] }

    var envelope: Envelope { Envelope(algorithm: algorithm, key: key, iv: iv, data: data) }
}

/// The content of an authorization's envelope (saltedge-v1 section 8.3).
private struct V1Payload: Decodable {
    static let names: Set<String> = [
        "id", "connection_id", "title", "description", "authorization_code", "created_at", "expires_at",
    ]

    var id: BankID
    var connectionID: BankID
    var title: String
    var description: String
    var code: String?
    var createdAt: String?
    var expiresAt: String

    enum CodingKeys: String, CodingKey {
        case id, title, description
        case connectionID = "connection_id"
        case code = "authorization_code"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}
