import Approvals
import Basics
import Display

extension ConnectionsPayload: Payload {
    var ids: [String] { connections.map(\.name) }

    func text(_ style: Style) -> String {
        guard !connections.isEmpty else { return "No bank is connected. Connect one with: countersign enroll" }
        let rows = connections.map { connection in
            [
                connection.name, connection.bank, connection.host, Self.status(connection), connection.protocol,
                connection.createdAt.day,
            ].map { DisplayText(answered: $0) }
        }
        return TextTable(header: ["NAME", "BANK", "HOST", "STATUS", "PROTOCOL", "SINCE"]).text(rows, style)
    }

    /// The status, with the bank's remarks about this connection.
    private static func status(_ connection: ConnectionPayload) -> String {
        let end = connection.blockedUntil.map { " until " + LocalTime.full($0.date) } ?? ""
        let left =
            connection.attemptsLeft.map { left in
                let time = connection.attemptsLeftAt.map { " at " + LocalTime.full($0.date) } ?? ""
                return ", \(left) attempt\(left == 1 ? "" : "s") left there\(time)"
            } ?? ""
        let unlock = connection.wantsBiometrics ? ", wants a fingerprint or face, here the PIN" : ""
        return connection.status + end + left + unlock
    }
}

/// The answer of commands that change one connection; `done` names the change.
struct ChangedConnection: Payload {
    var connection: ConnectionPayload
    private let done: String

    init(_ connection: ConnectionPayload, done: String) {
        self.connection = connection
        self.done = done
    }

    private enum CodingKeys: String, CodingKey { case connection }

    var ids: [String] { [connection.name] }

    func text(_ style: Style) -> String { "\(done): \(connection.name)" }
}

extension RevokedPayload: Payload {
    var ids: [String] { [revoked.name] }

    func text(_ style: Style) -> String {
        let remark =
            revoked.alreadyRevoked == true
            ? " (already revoked at the bank)"
            : revoked.bankTold ? "" : " (on this computer only; the bank was not told, so remove this device there too)"
        return "Revoked: \(revoked.name)" + remark
    }
}
