import Basics
import ApprovalModel

/// The facts that this provider keeps with a token.
struct PushState: Codable {
    /// The server's public key for this token, in PEM; nil until the enrollment is confirmed.
    var serverKey: String?
    /// The link's one-time credential and its expiry; kept until the server's answer to it is known.
    var credential: String?
    var credentialEnd: Timestamp?
    /// True if the server wants a fingerprint or face before each answer.
    var wantsBiometrics: Bool?

    enum CodingKeys: String, CodingKey {
        case serverKey, wantsBiometrics
        case credential = "enrollmentCredential"
        case credentialEnd = "enrollmentEnd"
    }
}

extension Connection {
    /// Empty if it cannot be read.
    var push: PushState { (try? state.read()) ?? PushState() }
}
