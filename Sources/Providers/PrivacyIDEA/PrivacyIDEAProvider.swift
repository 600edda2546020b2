public import FoundationEssentials
public import SCA
public import Web
public import Basics

/// privacyIDEA's push tokens. This program polls the server instead of receiving pushes.
public struct PrivacyIDEAProvider: Provider {
    let transport: Transport
    let now: @Sendable () -> Date
    let memory = PushMemory()

    /// - Parameters:
    ///   - transport: belongs to the caller, who shuts it down.
    ///   - now: our wall clock.
    public init(transport: Transport, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        self.now = now
    }

    public var wires: Set<WireProtocol> { [.push] }
    public static let secrets: [any DeclaredSecret] = [SecretName.key]
    public var secrets: [any DeclaredSecret] { Self.secrets }
    public var reconnectsByLink: Bool { true }

    public func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let push = link.content as? PushLink else {
            throw LinkError(.nothingUsable, "the link is not one of a push token")
        }
        return PushEnrollment(link: push, end: now().addingTimeInterval(Double(min(push.minutes, 1 << 24)) * 60))
    }

    public func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        guard let link else { throw BankError(.refused, "only a new link connects this again") }
        return try enrollment(of: link, beside: [])
    }

    public func stateToList(_ state: ProviderState) throws -> ProviderState {
        try ProviderState(PushState(serverKey: try state.read(as: PushState.self).serverKey))
    }

    public func facts(of connection: Connection) -> ConnectionFacts {
        ConnectionFacts(wantsBiometrics: connection.push.wantsBiometrics == true)
    }

    public func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        PushService(
            connection: connection, key: try secrets.load(.key), transport: transport, memory: memory, now: now)
    }
}
