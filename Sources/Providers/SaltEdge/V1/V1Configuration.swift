import Basics
import ApprovalModel
import Web

/// The configuration document of v1 (saltedge-v1 section 3).
enum V1Configuration {
    private struct Document: Decodable {
        var baseURL: String
        var code: String
        var name: String
        var version: FlexibleText
        var supportEmail: String?
        var geolocationRequired: Bool?

        enum CodingKeys: String, CodingKey {
            case code, name, version
            case baseURL = "connect_url"
            case supportEmail = "support_email"
            case geolocationRequired = "geolocation_required"
        }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            baseURL = try members.decode(String.self, forKey: .baseURL)
            code = try members.decode(String.self, forKey: .code)
            name = try members.decode(String.self, forKey: .name)
            version = try members.decode(FlexibleText.self, forKey: .version)
            supportEmail = try? members.decode(String.self, forKey: .supportEmail)
            geolocationRequired = try? members.decode(Bool.self, forKey: .geolocationRequired)
        }
    }

    static func read(_ answer: Answer, from source: WebAddress) throws(BankError) -> BankConfiguration {
        let document = try answer.data(Document.self, .v1)
        guard document.version.text == "1" else {
            throw answer.malformed("the bank's configuration is of a version that this program does not speak")
        }
        guard !document.code.isEmpty, !document.name.isEmpty else {
            throw answer.malformed("the bank's configuration lacks its code or its name")
        }
        return BankConfiguration(
            wireProtocol: .saltEdgeV1, source: source, baseURL: try answer.baseURL(document.baseURL),
            code: BankText(document.code), name: BankText(document.name),
            supportEmail: document.supportEmail.flatMap { $0.isEmpty ? nil : BankText($0) },
            geolocationRequired: document.geolocationRequired)
    }
}

extension Answer {
    /// The base of every later call, as a configuration names it.
    func baseURL(_ text: String) throws(BankError) -> WebAddress {
        do {
            return try WebAddress(text).base
        } catch {
            guard error != .insecure else {
                throw BankError(.insecure, "the bank's calls would go to an address that is not https", status: status)
            }
            throw malformed("the address of the bank's calls cannot be used: \(error.reason)")
        }
    }
}
