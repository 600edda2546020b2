package import Basics
import FoundationEssentials
package import ApprovalModel

/// A bank that did not answer, a denial that its bank shows as confirmed, an item that cannot be read, or connections
/// whose rows cannot be read.
package struct BankFailurePayload: Codable, Sendable, Equatable {
    /// Null for connections whose names are not known.
    @OrNull package var connection: String?
    package var kind: Failure.Kind
    package var message: String
    @OrNull package var hint: String?

    package init(_ connection: ConnectionName, _ failure: Failure) {
        self.connection = connection.text
        kind = failure.kind
        message = failure.message
        hint = failure.naming(connection: connection.text).hint
    }

    /// The failure of connections whose rows cannot be read, and so whose names are not known; none if there are none.
    package static func damagedRows(_ count: Int) -> [BankFailurePayload] {
        guard count > 0 else { return [] }
        return [
            BankFailurePayload(
                DamagedRowsPayload(
                    count, "connection", "connections", remedy: "connect the bank again: countersign enroll"))
        ]
    }

    private init(_ rows: DamagedRowsPayload) {
        (kind, message, hint) = (rows.kind, rows.message, rows.hint)
    }

    /// The text for standard error.
    package var text: String {
        "error: \(connection.map { $0 + ": " } ?? "")\(message)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

/// The waiting requests of all banks, from one round of calls.
package struct PendingRound: Codable, Sendable {
    /// In the order of their creation.
    package var authorizations: [Card]
    /// Banks that did not answer, then denials that read confirmed, then items that cannot be read.
    package var failures: [BankFailurePayload]
    package var asked: Int
    /// How many of `failures`, counted from the first, are banks that did not answer.
    package var failed: Int

    /// The first denial that its bank shows as confirmed, if any.
    package var alarm: BankFailurePayload? { failures.dropFirst(failed).first { $0.kind == .refused } }

    package init(authorizations: [Card], failures: [BankFailurePayload], asked: Int, failed: Int) {
        self.authorizations = authorizations
        self.failures = failures
        self.asked = asked
        self.failed = failed
    }

    init(_ answers: [Inbox.Answer], items: [Inbox.Item], damagedRows: Int) {
        authorizations = items.map { Card($0.authorization, of: $0.connection) }
        let broken = answers.compactMap { answer -> BankFailurePayload? in
            if case .failure(let error) = answer.result {
                return BankFailurePayload(answer.connection.name, Failure(error))
            }
            return nil
        }
        let faults = answers.flatMap { answer in
            ((try? answer.result.get())?.faults ?? []).map { BankFailurePayload(answer.connection.name, Failure($0)) }
        }
        let alarms = answers.flatMap { answer in
            ((try? answer.result.get())?.overturned ?? []).map {
                BankFailurePayload(answer.connection.name, Failure(OverturnedDenial(entry: $0)))
            }
        }
        failures = broken + alarms + faults + BankFailurePayload.damagedRows(damagedRows)
        asked = answers.count
        failed = broken.count
    }
}
