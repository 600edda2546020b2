import Basics
import FoundationEssentials
import ApprovalModel
import Keys

/// A connection and an authorization such as banks have.
enum Sample {
    static let code = "MXwyMDI2LTExLTIxVDE0OjA1OjAwWnw5LjkwIEVVUnxGZXJuIEJvb2tz"

    static let payload = Array(
        """
        {"id":"77","connection_id":"12","title":"Pay 9.90 EUR to Fern Books","description":"\
        \(String(repeating: "To Fern Books, for a book about ferns. ", count: 12))","authorization_code":"\(code)",\
        "created_at":"2026-11-21T14:00:00Z","expires_at":"2026-11-21T14:05:00Z"}
        """.utf8)

    /// `wire`: `saltedge-v1` or `saltedge-v2`; `providerKey` is the bank's public key, of the latter.
    static func connection(_ wire: String, providerKey: String? = nil) throws -> Connection {
        guard let id = BankID("12"), let name = ConnectionName("fernbank") else { throw Broken("no sample") }
        var details = ["bankCode": "fernbank"]
        details["providerKey"] = providerKey
        return Connection(
            guid: ConnectionGUID("guid"), name: name, keyID: KeyID("key"),
            enrolled: EnrolledConnection(
                id: id, wireProtocol: WireProtocol(rawValue: wire), baseURL: try WebAddress("https://bank.example"),
                bankName: BankText("Fern Bank"), state: try ProviderState(details)),
            createdAt: Date(), updatedAt: Date())
    }

    static func authorization(of connection: Connection) throws -> Authorization {
        guard let id = BankID("77"), let fingerprint = Fingerprint(bytes: [UInt8](repeating: 7, count: 32)) else {
            throw Broken("no sample")
        }
        return Authorization(
            connection: connection.guid, id: id, status: .pending, title: BankText("Pay 9.90 EUR to Fern Books"),
            content: AuthorizationContent(parts: [.text(BankText("To Fern Books"))]), source: BankText("{}"),
            code: BankText(code),
            createdAt: Date(), expiresAt: Date() + 300, fingerprint: fingerprint)
    }
}
