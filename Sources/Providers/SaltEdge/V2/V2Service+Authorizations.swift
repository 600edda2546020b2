import ApprovalModel
import Web

extension V2Service {
    func authorizations() async throws -> AuthorizationList { try await authorizations(OpenedItems()) }

    func authorizations(_ known: OpenedItems<Authorization>) async throws -> AuthorizationList {
        try await authorizations(at: "/authorizations", known)
    }

    /// The authorizations that belong to one action.
    func authorizations(for action: BankID) async throws -> AuthorizationList {
        try await authorizations(at: "/authorizations?action_id=" + action.percentEncoded, OpenedItems())
    }

    func waiting(_ known: OpenedItems<WaitingItem>) async throws -> WaitingList {
        let (list, answer) = try await list(at: "/authorizations")
        let (opened, faults) = try await openChanged(list.pending, known) { item throws(ItemFault) in
            WaitingItem(try authorization(in: item))
        }
        return WaitingList(items: opened, faults: list.faults + faults, receivedAt: answer.receivedAt)
    }

    private func list(at path: String) async throws(BankError) -> (data: LenientList<V2Item>, answer: Answer) {
        try await get(path, as: LenientList<V2Item>.self, limit: Call.Limit.list)
    }

    /// Opens pending items; reads only the status of all others.
    private func authorizations(
        at path: String, _ known: OpenedItems<Authorization>
    ) async throws -> AuthorizationList {
        let (list, answer) = try await list(at: path)
        let (opened, faults) = try await openChanged(list.pending, known) { item throws(ItemFault) in
            try authorization(in: item)
        }
        var settled: [BankID: AuthorizationStatus] = [:]
        for item in list.items where item.status != .pending && item.connectionID == connection.id {
            settled[item.id] = item.status
        }
        return AuthorizationList(
            authorizations: opened.sorted(by: ByAge.precedes), faults: list.faults + faults, listed: list.listed,
            settled: settled, bankTime: answer.serverTime, receivedAt: answer.receivedAt)
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        let (item, answer) = try await show(id)
        guard !item.status.isFinal, item.hasCiphertext else {
            throw BankError(.authorizationGone, "the bank has closed this request", status: answer.status)
        }
        do {
            return try authorization(in: item)
        } catch {
            throw answer.malformed(error.reason)
        }
    }

    func status(of id: BankID) async throws -> AuthorizationStatus? { try await show(id).item.status }

    private func show(_ id: BankID) async throws(BankError) -> (item: V2Item, answer: Answer) {
        let (item, answer) = try await get("/authorizations/" + id.percentEncoded, as: V2Item.self)
        guard item.id == id, item.connectionID == connection.id else {
            throw answer.malformed("the bank answered with another item")
        }
        return (item, answer)
    }

    private func authorization(in item: V2Item) throws(ItemFault) -> Authorization {
        try check(item.id, isOf: item.connectionID)
        let (payload, plaintext) = try item.envelope.payload(V2Payload.self, of: item.id, key: key)
        let members = try plaintext.members(of: item.id)
        guard let description = members["description"], description.members != nil else { throw .unopened(item.id) }
        let parts =
            try V2Description.parts(description, of: item.id)
            + members.unknown(besides: ["title", "description", "authorization_code", "created_at", "expires_at"])
        return try authorization(
            item.id, item.status, title: payload.title, parts: parts, code: payload.code,
            createdAt: payload.createdAt, expiresAt: payload.expiresAt, plaintext: plaintext)
    }
}

extension LenientList<V2Item> {
    fileprivate var pending: [V2Item] { items.filter { $0.status == .pending } }
}

/// The content of an authorization's envelope, without the description (saltedge-v2 section 8.2). The ids are outside
/// of it.
private struct V2Payload: Decodable {
    var title: String
    var code: String?
    var createdAt: String?
    var expiresAt: String

    enum CodingKeys: String, CodingKey {
        case title
        case code = "authorization_code"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }
}
