import Basics
import SCA

/// What a bank published about itself behind the link's `configuration` URL (saltedge-v1 section 3, saltedge-v2 section
/// 3), after checking.
struct BankConfiguration: Sendable, Equatable {
    var wireProtocol: WireProtocol
    /// Where the document was fetched.
    var source: WebAddress
    /// The base of every later call.
    var baseURL: WebAddress
    /// The bank's short code (v1 `code`; v2 `provider_id`).
    var code: BankText
    /// The name the bank claims.
    var name: BankText
    var supportEmail: BankText?
    /// True: a position is mandatory for decisions; false: optional; nil: not supported.
    var geolocationRequired: Bool?
    /// v2: the provider's RSA public key as SubjectPublicKeyInfo PEM, checked; it encrypts what we send to the provider.
    var providerKey: String?

}

extension BankConfiguration {
    /// What a connection is named after: v2 has no code but a number, so there it is the bank's name.
    private var nickname: BankText { wireProtocol == .saltEdgeV2 ? name : code }

    func enrolled(_ id: BankID, key: any PrivateKey, token: any Secret) -> EnrolledConnection {
        var details = [Detail.configurationURL: source.text, Detail.bankCode: code.untrusted]
        details[Detail.providerKey] = providerKey
        return EnrolledConnection(
            id: id, wireProtocol: wireProtocol, baseURL: baseURL, bankName: name, nickname: nickname,
            supportEmail: supportEmail, geolocationRequired: geolocationRequired, details: details,
            secrets: EnrolledSecrets(key: key, token: token))
    }
}
