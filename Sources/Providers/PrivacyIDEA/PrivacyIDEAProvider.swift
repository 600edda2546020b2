package import FoundationEssentials
package import ApprovalModel
package import Web
import Basics
package import Keys

/// privacyIDEA's push tokens. This program polls the server instead of receiving pushes.
package struct PrivacyIDEAProvider: Provider {
    let transport: Transport
    let now: @Sendable () -> Date
    let memory = PushMemory()

    /// - Parameters:
    ///   - transport: belongs to the caller, who shuts it down.
    ///   - now: our wall clock.
    package init(transport: Transport, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        self.now = now
    }

    package var wires: Set<WireProtocol> { [.push] }
    package static let secrets: [any DeclaredSecret] = [SecretName.key]
    package var secrets: [any DeclaredSecret] { Self.secrets }
    package var reconnectsByLink: Bool { true }

    package func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let push = link.content as? PushLink else {
            throw LinkError(.nothingUsable, "the link is not one of a push token")
        }
        return PushEnrollment(link: push, end: now().addingTimeInterval(Double(min(push.minutes, 1 << 24)) * 60))
    }

    package func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        guard let link else { throw BankError(.refused, "only a new link connects this again") }
        return try enrollment(of: link, beside: [])
    }

    package func stateToList(_ state: ProviderState) throws -> ProviderState {
        try ProviderState(PushState(serverKey: try state.read(as: PushState.self).serverKey))
    }

    package func facts(of connection: Connection) -> ConnectionFacts {
        ConnectionFacts(wantsBiometrics: connection.push.wantsBiometrics == true)
    }

    package func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        PushService(
            connection: connection, key: try secrets.load(.key), transport: transport, memory: memory, now: now)
    }
}
