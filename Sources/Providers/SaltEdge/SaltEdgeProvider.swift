import Basics
package import FoundationEssentials
package import ApprovalModel
import Cryptography
package import Keys
package import Web

/// The provider for banks that speak the Salt Edge Authenticator API, v1 or v2. The path of the configuration's address
/// says which of the two (saltedge-v1 section 2.4).
package struct SaltEdgeProvider: Provider {
    private let transport: Transport
    private let platform: String
    private let now: @Sendable () -> Date
    private let offsets = ClockOffsets()
    private let providerKeys = ProviderKeys()

    /// - Parameters:
    ///   - transport: the caller keeps it and shuts it down.
    ///   - platform: the platform that is reported to banks; they know `android` and `ios` (saltedge-v1 section 4.1).
    ///   - now: our wall clock.
    package init(transport: Transport, platform: String = "android", now: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        self.platform = platform
        self.now = now
    }

    package var wires: Set<WireProtocol> { WireProtocol.ofSaltEdge }

    package static let secrets: [any DeclaredSecret] = [SecretName.key, SecretName.token]
    package var secrets: [any DeclaredSecret] { Self.secrets }

    package func facts(of connection: Connection) -> ConnectionFacts {
        ConnectionFacts(supportEmail: connection.saltEdge.supportEmail)
    }

    package func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let link = link.content as? SaltEdgeConnect else {
            throw LinkError(.nothingUsable, "the link has no parameter that this program knows")
        }
        return SaltEdgeEnrollment(at: self, link.configuration, connectQuery: link.connectQuery)
    }

    /// Enrolls a connection again, with a new key and token (saltedge-v1 section 5).
    package func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        let address = connection.saltEdge.configurationURL.flatMap { try? WebAddress($0) }
        guard let address else {
            throw BankError(.refused, "it is not known where the bank's configuration is")
        }
        return SaltEdgeEnrollment(at: self, address, connectQuery: nil)
    }

    package func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        let token = try secrets.load(.token)
        let key = try secrets.load(.key)
        let state = connection.saltEdge
        return connection.wireProtocol == .saltEdgeV2
            ? V2Service(
                connection: connection, state: state, token: token, key: key, transport: transport, offsets: offsets,
                providerKeys: providerKeys, now: now)
            : V1Service(
                connection: connection, state: state, token: token, key: key, transport: transport, offsets: offsets,
                now: now)
    }

    // MARK: Enrollment

    /// Fetches and checks the configuration document behind a link; follows same-origin redirects, at most 3.
    func configuration(at address: WebAddress) async throws(BankError) -> BankConfiguration {
        let answer = try await fetch(address)
        let configuration =
            WireProtocol(configurationAt: address) == .saltEdgeV2
            ? try V2Configuration.read(answer, from: address) : try V1Configuration.read(answer, from: address)
        guard configuration.baseURL.isAllowed(besides: address) else {
            throw BankError(.insecure, "the bank's calls would go to a plain http address on this machine")
        }
        return configuration
    }

    /// Uploads the public key. Stores nothing.
    func create(
        at configuration: BankConfiguration, publicKey: String, returnURL: String, connectQuery: BankText?
    ) async throws(BankError) -> CreatedConnection {
        let request = NewConnection(
            configuration: configuration, publicKey: publicKey, returnURL: returnURL, connectQuery: connectQuery,
            platform: platform)
        return configuration.wireProtocol == .saltEdgeV2
            ? try await V2Enrollment.create(request, over: transport)
            : try await V1Enrollment.create(request, over: transport)
    }

    /// The access token in a redirect, opened with the new key where the protocol seals it.
    func token(
        in redirect: Redirect.Grant, for configuration: BankConfiguration, key: any PrivateKey
    ) throws(BankError) -> any Secret {
        guard configuration.wireProtocol == .saltEdgeV2 else {
            return try AccessToken.checked(redirect.accessToken.untrusted)
        }
        do {
            return try V2AccessToken.open(redirect.accessToken, with: key)
        } catch {
            throw BankError(.malformedAnswer, error.reason)
        }
    }

    /// Fetches the configuration without token and signature; follows same-origin redirects, at most 3.
    private func fetch(_ start: WebAddress) async throws(BankError) -> Answer {
        var address = start
        for _ in 0...3 {
            let answer = try await transport.ask(Call("GET", address))
            guard let location = answer.redirect else { return answer }
            guard let next = address.resolving(location), next.origin == start.origin else {
                throw BankError(
                    .insecure, "\(start.hostForPeople) redirects to another server for its configuration",
                    status: answer.status)
            }
            address = next
        }
        throw BankError(.refused, "\(start.hostForPeople) redirects too often instead of sending its configuration")
    }
}
