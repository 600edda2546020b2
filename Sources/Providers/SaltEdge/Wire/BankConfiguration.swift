import Basics
import ApprovalModel
import Cryptography
import Keys

/// The checked content of the document behind a link's `configuration` URL, in which a bank describes itself
/// (saltedge-v1 section 3, saltedge-v2 section 3).
struct BankConfiguration: Sendable, Equatable {
    var wireProtocol: WireProtocol
    /// The address of the document.
    var source: WebAddress
    /// The base of every later call.
    var baseURL: WebAddress
    /// The bank's short code (v1 `code`; v2 `provider_id`).
    var code: BankText
    /// The name the bank claims.
    var name: BankText
    var supportEmail: BankText?
    /// Whether decisions must have a position: true for mandatory, false for optional, nil for not supported.
    var geolocationRequired: Bool?
    /// v2: the provider's RSA public key as SubjectPublicKeyInfo PEM, checked; it encrypts our messages to the
    /// provider.
    var providerKey: String?

}

extension BankConfiguration {
    /// The text from which a connection's name is made: the bank's code, or in v2, where the code is a number, its
    /// name.
    private var nickname: BankText { wireProtocol == .saltEdgeV2 ? name : code }

    func enrolled(_ id: BankID, key: any PrivateKey, token: any Secret) throws -> EnrolledConnection {
        let state = SaltEdgeState(
            configurationURL: source.text, bankCode: code.untrusted, providerKey: providerKey,
            supportEmail: supportEmail, geolocationRequired: geolocationRequired)
        return EnrolledConnection(
            id: id, wireProtocol: wireProtocol, baseURL: baseURL, bankName: name, nickname: nickname,
            state: try ProviderState(state),
            secrets: EnrolledSecrets().with(.key, key).with(.token, token))
    }
}
