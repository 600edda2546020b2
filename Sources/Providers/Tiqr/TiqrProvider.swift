import Basics
package import FoundationEssentials
package import ApprovalModel
import Cryptography
package import Keys
package import Web

/// Sites that speak Tiqr: they show a challenge as a link, and take a one-time response made with the account's secret.
/// They cannot be polled, and the protocol has no denial.
package struct TiqrProvider: Provider {
    let transport: Transport
    /// A language tag for the messages of sites.
    let language: String
    let now: @Sendable () -> Date
    let challenges = TiqrChallenges()

    /// - Parameters:
    ///   - transport: belongs to the caller, who shuts it down.
    ///   - locale: the person's POSIX locale, for example `nl_NL.UTF-8`.
    ///   - now: our wall clock.
    package init(transport: Transport, locale: String, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        language = TiqrAgent.language(of: locale)
        self.now = now
    }

    package var wires: Set<WireProtocol> { [.tiqr] }

    package static let secrets: [any DeclaredSecret] = [SecretName.shared]
    package var secrets: [any DeclaredSecret] { Self.secrets }

    package func facts(of connection: Connection) -> ConnectionFacts {
        guard let state = connection.tiqr else { return ConnectionFacts() }
        return ConnectionFacts(
            attemptsLeft: state.attemptsLeft, attemptsLeftAt: state.attemptsLeftAt, blockedUntil: state.blockedUntil)
    }

    package var asksBanks: Bool { false }

    package func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let enroll = link.content as? TiqrEnroll else {
            throw LinkError(.nothingUsable, "the link has nothing that this program knows")
        }
        return TiqrEnrollment(at: self, enroll, beside: known)
    }

    package var reconnectsByLink: Bool { true }

    package func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        guard let enroll = link?.content as? TiqrEnroll else {
            throw BankError(.refused, "the link is not for an account of this kind")
        }
        return TiqrEnrollment(at: self, enroll, beside: known, inPlaceOf: connection)
    }

    package func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        TiqrService(
            connection: connection, state: try connection.state.read(), secret: try secrets.load(.shared),
            provider: self)
    }

    package func forget() { challenges.forget() }
}
