import Basics
import ApprovalModel
import Cryptography
import Web

/// The configuration document of v2 (saltedge-v2 section 3).
enum V2Configuration {
    private struct Document: Decodable {
        var baseURL: String
        var version: FlexibleText
        var providerID: BankID
        var name: String
        var providerKey: String
        var supportEmail: String?
        var geolocationRequired: Bool?

        enum CodingKeys: String, CodingKey {
            case baseURL = "sca_service_url"
            case version = "api_version"
            case providerID = "provider_id"
            case name = "provider_name"
            case providerKey = "provider_public_key"
            case supportEmail = "provider_support_email"
            case geolocationRequired = "geolocation_required"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            baseURL = try members.decode(String.self, forKey: .baseURL)
            version = try members.decode(FlexibleText.self, forKey: .version)
            providerID = try members.decode(BankID.self, forKey: .providerID)
            name = try members.decode(String.self, forKey: .name)
            providerKey = try members.decode(String.self, forKey: .providerKey)
            supportEmail = try? members.decode(String.self, forKey: .supportEmail)
            geolocationRequired = try? members.decode(Bool.self, forKey: .geolocationRequired)
        }
    }

    static func read(_ answer: Answer, from source: WebAddress) throws(BankError) -> BankConfiguration {
        let document = try answer.data(Document.self, .v2)
        guard document.version.text == "2" else {
            throw answer.malformed("the bank's configuration is of a version that this program does not speak")
        }
        guard !document.name.isEmpty else { throw answer.malformed("the bank's configuration lacks its name") }
        guard let key = try? RSAPublicKey(pem: document.providerKey) else {
            throw answer.malformed("the bank's public key is not an RSA key of 2048 bits or more")
        }
        return BankConfiguration(
            wireProtocol: .saltEdgeV2, source: source, baseURL: try answer.baseURL(document.baseURL),
            code: BankText(document.providerID.text), name: BankText(document.name),
            supportEmail: document.supportEmail.flatMap { $0.isEmpty ? nil : BankText($0) },
            geolocationRequired: document.geolocationRequired, providerKey: key.pem)
    }
}
