import Basics
import Crypto
import ApprovalModel
import Keys

/// The link holds everything, so no page is opened.
struct FernEnrollment: ProviderEnrollment {
    let link: FernLinks.Enroll
    let server: FernProvider.Server

    func begin() async throws -> EnrollmentOffer {
        let address = try WebAddress("https://fern.example")
        return EnrollmentOffer(bankName: BankText("Fern"), source: address, baseURL: address)
    }

    func accept(returnURL: String) async throws -> EnrollmentStep {
        guard let id = BankID(link.user) else { throw BankError(.refused, "nobody") }
        let key = P256.Signing.PrivateKey()
        server.contents.withLock { $0.publicKeys[link.user] = key.publicKey }
        let enrolled = EnrolledConnection(
            id: id, wireProtocol: FernProvider.wire, baseURL: try WebAddress("https://fern.example"),
            bankName: BankText("Fern"), state: try ProviderState(FernState(user: link.user, isOnce: link.isOnce)),
            secrets: EnrolledSecrets().with(.shared, PlainSecret(link.secret)).with(.signing, key))
        return link.isOnce ? .unconfirmed(enrolled) : .enrolled(enrolled)
    }

    func take(_ address: String) async throws -> EnrolledConnection? { nil }
}
