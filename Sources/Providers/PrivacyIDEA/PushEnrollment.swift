import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography
import Keys

/// One enrollment of a push token (privacyidea-push sections 4 and 5). The link holds everything, so the server is not
/// called before the person's yes, and no page is opened.
struct PushEnrollment: ProviderEnrollment {
    let link: PushLink
    /// When the link expires.
    let end: Date

    func begin() async throws -> EnrollmentOffer {
        EnrollmentOffer(
            bankName: name, source: link.endpoint, baseURL: link.endpoint, account: link.label, notes: notes)
    }

    /// The issuer's name; the server's host if the link has none.
    private var name: BankText {
        link.issuer.untrusted.allSatisfy(\.isWhitespace) ? BankText(link.endpoint.host) : link.issuer
    }

    private var notes: [String] {
        (link.wantsBiometrics
            ? ["This server wants a fingerprint or face before each answer; here it will be the PIN."] : [])
            + (link.isPushed ? ["The server would push to a phone; this computer asks it instead."] : [])
    }

    /// Makes the key. The server gets the public part once the connection is stored (`PushService.confirm`).
    func accept(returnURL: String) async throws -> EnrollmentStep {
        let state = PushState(
            credential: link.credential, credentialEnd: Timestamp(end),
            wantsBiometrics: link.wantsBiometrics ? true : nil)
        return .unconfirmed(
            EnrolledConnection(
                id: link.serial, wireProtocol: .push, baseURL: link.endpoint, bankName: name, account: link.label,
                state: try ProviderState(state),
                secrets: EnrolledSecrets().with(.key, try RSAPrivateKey.generate(bits: 4096))))
    }

    func take(_ address: String) async throws -> EnrolledConnection? { nil }
}
