public import Basics
public import FoundationEssentials
public import SCA
public import Web

/// The banks that speak Salt Edge Authenticator API v1 or v2; which of the two, the path of the configuration's address
/// says (saltedge-v1 section 2.4).
public struct SaltEdgeBanks: BankEnrollment {
    private let transport: Transport
    private let platform: String
    private let now: @Sendable () -> Date
    private let offsets = ClockOffsets()
    private let providerKeys = ProviderKeys()

    /// - Parameters:
    ///   - transport: stays the caller's, who shuts it down.
    ///   - platform: what we say we are; banks know `android` and `ios` (saltedge-v1 section 4.1).
    ///   - now: our wall clock.
    public init(transport: Transport, platform: String = "android", now: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        self.platform = platform
        self.now = now
    }

    public func configuration(at address: WebAddress) async throws -> BankConfiguration {
        let answer = try await fetch(address)
        let configuration =
            switch WireProtocol(configurationAt: address) {
            case .saltEdgeV1: try V1Configuration.read(answer, from: address)
            case .saltEdgeV2: try V2Configuration.read(answer, from: address)
            }
        guard configuration.baseURL.isAllowed(besides: address) else {
            throw BankError(.insecure, "the bank's calls would go to a plain http address on this machine")
        }
        return configuration
    }

    public func create(
        at configuration: BankConfiguration, publicKey: String, returnURL: String, connectQuery: BankText?
    ) async throws -> CreatedConnection {
        let request = NewConnection(
            configuration: configuration, publicKey: publicKey, returnURL: returnURL, connectQuery: connectQuery,
            platform: platform)
        switch configuration.wireProtocol {
        case .saltEdgeV1: return try await V1Enrollment.create(request, over: transport)
        case .saltEdgeV2: return try await V2Enrollment.create(request, over: transport)
        }
    }

    public func token(
        in redirect: Redirect.Grant, for configuration: BankConfiguration, key: any PrivateKey
    ) throws -> any Secret {
        switch configuration.wireProtocol {
        case .saltEdgeV1: return try AccessToken.checked(redirect.accessToken.untrusted)
        case .saltEdgeV2:
            do {
                return try V2AccessToken.open(redirect.accessToken, with: key)
            } catch {
                throw BankError(.malformedAnswer, error.reason)
            }
        }
    }

    public func service(for connection: Connection, token: any Secret, key: any PrivateKey) -> any BankService {
        switch connection.wireProtocol {
        case .saltEdgeV1:
            V1Service(connection: connection, token: token, key: key, transport: transport, offsets: offsets, now: now)
        case .saltEdgeV2:
            V2Service(
                connection: connection, token: token, key: key, transport: transport, offsets: offsets,
                providerKeys: providerKeys, now: now)
        }
    }

    /// The configuration call: no token, no signature; same-origin redirects are followed, at most 3.
    private func fetch(_ start: WebAddress) async throws(BankError) -> Answer {
        var address = start
        for _ in 0...3 {
            let answer = try await transport.ask(Call("GET", address))
            guard let location = answer.redirect else { return answer }
            guard let next = address.resolving(location), next.origin == start.origin else {
                throw BankError(
                    .insecure, "\(start.hostForPeople) leads to another place for its configuration",
                    status: answer.status)
            }
            address = next
        }
        throw BankError(.refused, "\(start.hostForPeople) leads in circles for its configuration")
    }
}

extension WebAddress {
    /// Plain http is allowed only where the link's own configuration is on this machine too (design "Talking to banks").
    func isAllowed(besides configuration: WebAddress) -> Bool { scheme == "https" || configuration.isLoopback }

    /// The address that a `Location` means: an absolute one, or an absolute path. Nil for what we would not call.
    func resolving(_ location: String) -> WebAddress? {
        if location.hasPrefix("//") { return try? WebAddress("\(scheme):\(location)") }
        return try? WebAddress(location.hasPrefix("/") ? origin + location : location)
    }
}
