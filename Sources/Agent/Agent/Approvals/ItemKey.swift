import Approvals
import Basics
import ApprovalModel

/// Names an authorization independently of its connection's name.
struct ItemKey: Hashable, Sendable {
    let connection: ConnectionGUID
    let id: BankID

    init(_ connection: ConnectionGUID, _ id: BankID) { (self.connection, self.id) = (connection, id) }

    init(_ item: Inbox.Item) {
        connection = item.connection.guid
        id = item.authorization.id
    }

    /// Parses `text`; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let id = Percent.decode(parts[1]).flatMap({ BankID($0) }) else { return nil }
        connection = ConnectionGUID(String(parts[0]))
        self.id = id
    }

    /// The key of its desktop note.
    var text: String { "\(connection.text):\(id.percentEncoded)" }
}

extension ApprovalWing.Open {
    /// The card that a front end names, by its present reference or by one from before its connection was renamed. The
    /// fingerprint, which covers connection and id, excludes another authorization that has this reference now.
    func card(for request: DecisionRequest) -> Card? {
        cards.first { key, card in
            card.fingerprint == request.fingerprint
                && (card.reference == request.ref || formerReferences[key]?.contains(request.ref) == true)
        }?.value
    }

    /// The request with the authorization's present reference.
    func current(_ request: DecisionRequest) -> DecisionRequest {
        var request = request
        if let card = card(for: request) { request.ref = card.reference }
        return request
    }

    /// Whether both references name the same waiting authorization.
    func areSame(_ one: String, _ other: String) -> Bool {
        cards.contains { key, card in
            [one, other].allSatisfy { $0 == card.reference || formerReferences[key]?.contains($0) == true }
        }
    }

    /// How many wait; nil while none is known to wait and not all banks have answered yet.
    var knownWaiting: Int? {
        guard cards.isEmpty else { return cards.count }
        let heard = Set(watcher.contacts().filter { $0.at != nil }.map(\.connection.guid))
        guard let connections = try? workspace.connections.connections() else { return nil }
        return connections.allSatisfy {
            $0.status != .active || !workspace.providers.isPolled($0) || heard.contains($0.guid)
        } ? 0 : nil
    }

    mutating func forget(_ key: ItemKey) {
        cards[key] = nil
        formerReferences[key] = nil
    }
}
