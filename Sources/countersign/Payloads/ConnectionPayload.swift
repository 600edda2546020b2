import Display
import FoundationEssentials
import SCA

/// A connection as JSON and as a table row.
struct ConnectionPayload: Encodable {
    var name: String
    var bank: String
    var host: String
    var id: String
    var status: String
    var `protocol`: String
    var createdAt: String
    var updatedAt: String
    @OrNull var supportEmail: String?

    init(_ connection: Connection) {
        name = connection.name.text
        bank = DisplayText(connection.bankName).line
        host = connection.baseURL.hostForPeople
        id = DisplayText(BankText(connection.id.text)).line
        status = connection.status.rawValue
        self.protocol = connection.wireProtocol.rawValue
        createdAt = Timestamp.format(connection.createdAt)
        updatedAt = Timestamp.format(connection.updatedAt)
        supportEmail = connection.supportEmail.map { DisplayText($0).line }
    }
}

/// `connections`
struct ConnectionsPayload: Payload {
    var connections: [ConnectionPayload]
    private let rows: [[DisplayText]]

    init(_ connections: [Connection]) {
        self.connections = connections.map(ConnectionPayload.init)
        rows = connections.map { connection in
            [
                DisplayText(connection.name.text), DisplayText(connection.bankName),
                DisplayText(connection.baseURL.hostForPeople), DisplayText(connection.status.rawValue),
                DisplayText(connection.wireProtocol.rawValue),
                DisplayText(String(Timestamp.format(connection.createdAt).prefix(10))),
            ]
        }
    }

    private enum CodingKeys: String, CodingKey { case connections }

    var ids: [String] { connections.map(\.name) }

    func text(_ style: Style) -> String {
        guard !connections.isEmpty else { return "No bank is connected. Connect one with: countersign enroll" }
        return TextTable(header: ["NAME", "BANK", "HOST", "STATUS", "PROTOCOL", "SINCE"]).text(rows, style)
    }
}

/// `enroll`, `reconnect`, `rename`
struct OneConnectionPayload: Payload {
    var connection: ConnectionPayload
    private let done: String

    init(_ connection: Connection, done: String) {
        self.connection = ConnectionPayload(connection)
        self.done = done
    }

    private enum CodingKeys: String, CodingKey { case connection }

    var ids: [String] { [connection.name] }

    func text(_ style: Style) -> String { "\(done): \(connection.name)" }
}

/// `revoke`
struct RevokedPayload: Payload {
    struct Content: Encodable {
        var name: String
        var id: String
        var bankTold: Bool
    }

    var revoked: Content

    init(_ connection: Connection, bankTold: Bool) {
        let shown = ConnectionPayload(connection)
        revoked = Content(name: shown.name, id: shown.id, bankTold: bankTold)
    }

    var ids: [String] { [revoked.name] }

    func text(_ style: Style) -> String {
        "Revoked: \(revoked.name)"
            + (revoked.bankTold ? "" : " (on this computer only; the bank was not told)")
    }
}
