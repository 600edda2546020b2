public import Basics
public import FoundationEssentials
public import SCA
import SCACrypto
public import Web

/// Sites that speak Tiqr: they show a challenge as a link, and take a one-time response made with the account's secret.
/// They cannot be polled, and the protocol has no denial.
public struct TiqrProvider: Provider {
    let transport: Transport
    /// A language tag for the messages of sites.
    let language: String
    let now: @Sendable () -> Date
    let challenges = TiqrChallenges()

    /// - Parameters:
    ///   - transport: belongs to the caller, who shuts it down.
    ///   - locale: the person's POSIX locale, for example `nl_NL.UTF-8`.
    ///   - now: our wall clock.
    public init(transport: Transport, locale: String, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        language = TiqrAgent.language(of: locale)
        self.now = now
    }

    public var wires: Set<WireProtocol> { [.tiqr] }

    public static let secrets: [any DeclaredSecret] = [SecretName.shared]
    public var secrets: [any DeclaredSecret] { Self.secrets }

    public func facts(of connection: Connection) -> ConnectionFacts {
        guard let state = connection.tiqr else { return ConnectionFacts() }
        return ConnectionFacts(
            attemptsLeft: state.attemptsLeft, attemptsLeftAt: state.attemptsLeftAt, blockedUntil: state.blockedUntil)
    }

    public var asksBanks: Bool { false }

    public func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let enroll = link.content as? TiqrEnroll else {
            throw LinkError(.nothingUsable, "the link has nothing that this program knows")
        }
        return TiqrEnrollment(at: self, enroll, beside: known)
    }

    public var reconnectsByLink: Bool { true }

    public func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        guard let enroll = link?.content as? TiqrEnroll else {
            throw BankError(.refused, "the link is not for an account of this kind")
        }
        return TiqrEnrollment(at: self, enroll, beside: known, inPlaceOf: connection)
    }

    public func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        TiqrService(
            connection: connection, state: try connection.state.read(), secret: try secrets.load(.shared),
            provider: self)
    }

    public func forget() { challenges.forget() }
}
