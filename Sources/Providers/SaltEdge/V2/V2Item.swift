import ApprovalModel
import Cryptography

/// An authorization or consent as v2 lists it (saltedge-v2 sections 8.1, 9). An authorization that is no longer pending
/// has no ciphertext.
struct V2Item: Decodable, SealedItem {
    var id: BankID
    var connectionID: BankID
    var status: AuthorizationStatus
    var envelope: Envelope

    enum CodingKeys: String, CodingKey {
        case id, status, key, iv, data
        case connectionID = "connection_id"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        id = try members.decode(BankID.self, forKey: .id)
        connectionID = try members.decode(BankID.self, forKey: .connectionID)
        status = AuthorizationStatus(word: (try? members.decode(String.self, forKey: .status)) ?? "")
        envelope = Envelope(
            algorithm: nil, key: try members.decodeIfPresent(String.self, forKey: .key) ?? "",
            iv: try members.decodeIfPresent(String.self, forKey: .iv) ?? "",
            data: try members.decodeIfPresent(String.self, forKey: .data) ?? "")
    }

    /// Does not include the status, since only pending items are opened.
    var sealedForm: [String] { [id.text, connectionID.text, envelope.key, envelope.iv, envelope.data] }

    var hasCiphertext: Bool { !envelope.key.isEmpty && !envelope.iv.isEmpty && !envelope.data.isEmpty }
}
