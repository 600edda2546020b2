import Basics
import FoundationEssentials
import ApprovalModel

/// The content of a consent's envelope (saltedge-v1 section 9.3, saltedge-v2 section 9). The id inside is ignored,
/// since in v2 it is the provider's own.
struct ConsentMessage: Decodable {
    struct Account: Decodable {
        var name: String
        var number: String?
        var sortCode: String?
        var iban: String?

        enum CodingKeys: String, CodingKey {
            case name, iban
            case number = "account_number"
            case sortCode = "sort_code"
        }
    }

    struct Shared: Decodable {
        var balance: Bool?
        var transactions: Bool?
    }

    var type: String
    var thirdParty: String
    var accounts: [Account]
    var shared: Shared?
    var createdAt: String
    var expiresAt: String

    enum CodingKeys: String, CodingKey {
        case accounts
        case type = "consent_type"
        case thirdParty = "tpp_name"
        case shared = "shared_data"
        case createdAt = "created_at"
        case expiresAt = "expires_at"
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        type = try members.decode(String.self, forKey: .type)
        thirdParty = try members.decode(String.self, forKey: .thirdParty)
        accounts = try members.decode([Account].self, forKey: .accounts)
        shared = try? members.decodeIfPresent(Shared.self, forKey: .shared)
        createdAt = try members.decode(String.self, forKey: .createdAt)
        expiresAt = try members.decode(String.self, forKey: .expiresAt)
    }

    func consent(_ id: BankID, of connection: ConnectionGUID) throws(ItemFault) -> Consent {
        Consent(
            connection: connection, id: id, type: BankText(type), thirdParty: BankText(thirdParty),
            accounts: accounts.map { account in
                Consent.Account(
                    name: BankText(account.name), number: account.number.map(BankText.init),
                    sortCode: account.sortCode.map(BankText.init), iban: account.iban.map(BankText.init))
            },
            shared: shared.map { Consent.SharedData(balance: $0.balance, transactions: $0.transactions) },
            createdAt: try ItemFault.time(createdAt, of: id),
            expiresAt: try ItemFault.time(expiresAt, of: id))
    }
}
