import Basics
import ApprovalModel
import Cryptography

/// One enrollment at a bank (saltedge-v1 sections 3 to 5, saltedge-v2 sections 3 to 6), in this order: the bank's
/// configuration, a new key, the bank's page, the redirect with the token.
actor SaltEdgeEnrollment: ProviderEnrollment {
    private let provider: SaltEdgeProvider
    private let address: WebAddress
    private let connectQuery: BankText?
    private var configuration: BankConfiguration?
    private var attempt: Attempt?

    /// The values that a redirect is checked against.
    private struct Attempt {
        var configuration: BankConfiguration
        var returnURL: String
        var key: any PrivateKey
        /// The id that the bank gave when the key was uploaded.
        var id: BankID?
    }

    /// - Parameter connectQuery: the link's one-time secret.
    init(at provider: SaltEdgeProvider, _ address: WebAddress, connectQuery: BankText?) {
        self.provider = provider
        self.address = address
        self.connectQuery = connectQuery
    }

    func begin() async throws -> EnrollmentOffer {
        let configuration = try await provider.configuration(at: address)
        self.configuration = configuration
        return EnrollmentOffer(
            bankName: configuration.name, source: configuration.source, baseURL: configuration.baseURL)
    }

    func accept(returnURL: String) async throws -> EnrollmentStep {
        guard let configuration else { throw BankError(.refused, "the bank's configuration was not fetched") }
        let key = try RSAPrivateKey.generate(bits: 2048)
        let created = try await provider.create(
            at: configuration, publicKey: key.publicKeyPEM, returnURL: returnURL, connectQuery: connectQuery)
        let attempt = Attempt(configuration: configuration, returnURL: returnURL, key: key, id: created.id)
        switch created.next {
        case .token(let token): return .enrolled(try enrolled(nil, token, attempt))
        case .redirect(let address):
            guard let redirect = Redirect.parse(address, returnURL: returnURL) else {
                throw BankError(.malformedAnswer, "the bank answered with a redirect that cannot be read")
            }
            return .enrolled(try judge(redirect, attempt))
        case .page(let page):
            self.attempt = attempt
            return .page(page)
        }
    }

    func take(_ address: String) async throws -> EnrolledConnection? {
        guard let attempt, let redirect = Redirect.parse(address, returnURL: attempt.returnURL) else { return nil }
        return try judge(redirect, attempt)
    }

    private func judge(_ redirect: Redirect, _ attempt: Attempt) throws -> EnrolledConnection {
        switch redirect {
        case .refusal(let refusal):
            throw EnrollmentRefusal.refused(errorClass: refusal.errorClass, message: refusal.message)
        case .grant(let grant):
            let token = try provider.token(in: grant, for: attempt.configuration, key: attempt.key)
            return try enrolled(grant.id, token, attempt)
        }
    }

    /// The result of a successful enrollment. `named` is the id in the redirect.
    private func enrolled(
        _ named: BankID?, _ token: any Secret, _ attempt: Attempt
    ) throws -> EnrolledConnection {
        if let id = attempt.id, let named, id != named { throw EnrollmentRefusal.foreignID }
        guard let id = named ?? attempt.id else {
            throw BankError(.malformedAnswer, "neither the bank's answer nor the redirect has the connection's id")
        }
        return try attempt.configuration.enrolled(id, key: attempt.key, token: token)
    }
}
