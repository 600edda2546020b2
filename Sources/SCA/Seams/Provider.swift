public import Basics

/// A kind of service that we speak with, and everything about its wire: which links are its own, how it enrolls, what it must
/// remember, how its items arrive, and what it cannot do. To add one means one target and one line where things are wired.
public protocol Provider: Sendable {
    /// The wires that its connections speak.
    var wires: Set<WireProtocol> { get }
    /// Which secrets its connections have.
    var secretKinds: Set<SecretKind> { get }
    /// The names of those details that listing needs. The others are not kept while nothing may be shown.
    var detailsToList: Set<String> { get }
    /// Whether banks are asked what waits. Where they cannot be, requests come by links alone, and nobody is ever polled.
    var asksBanks: Bool { get }
    /// Begins to enroll what one of its links names. `known`: the connections that there are, of all providers.
    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment
    /// Whether a new link is needed to connect one again; else it is done without any.
    var reconnectsByLink: Bool { get }
    /// Begins to enroll a connection of its own again. `link`: one for the same account, where `reconnectsByLink`. `known`: as
    /// above.
    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment
    /// The service of a connection of its own, ready to call. Throws what `secrets` throws.
    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService
    /// Forgets what links brought: content, which must not outlive the unlock.
    func forget()
}

extension Provider {
    public var asksBanks: Bool { true }

    public var reconnectsByLink: Bool { false }

    public func forget() {}
}

/// One enrollment at one provider: a machine of the provider's own choosing behind three steps. Each is taken once, in this
/// order; `take` as often as addresses come in. Nothing is stored by any of them.
public protocol ProviderEnrollment: Sendable {
    /// Learns whom the person is asked about: nothing is made. Throws `BankError`.
    func begin() async throws -> EnrollmentOffer
    /// The person said yes: makes keys, and hands what is public to the bank, with the address that its page is to lead back to.
    func accept(_ terms: EnrollmentTerms) async throws -> EnrollmentStep
    /// Judges one address that the browser was led to, good or forged. Nil when it is none for this enrollment at all. Throws
    /// `EnrollmentRefusal` and `BankError`, which end nothing, since any page can send one.
    func take(_ address: String) async throws -> EnrolledConnection?
}

/// What an enrollment has from here.
public struct EnrollmentTerms: Sendable {
    /// Where the bank's page is to lead back to.
    public var returnURL: String
    /// A new RSA key of so many bits, in memory that is wiped at the end.
    public var makeKey: @Sendable (_ bits: Int) throws -> any PrivateKey

    public init(returnURL: String, makeKey: @escaping @Sendable (_ bits: Int) throws -> any PrivateKey) {
        self.returnURL = returnURL
        self.makeKey = makeKey
    }
}

/// What follows the person's yes.
public enum EnrollmentStep: Sendable {
    /// The bank wanted no page.
    case enrolled(EnrolledConnection)
    /// The bank takes the keys by `BankService.confirm`, once: so the connection is stored before, and an answer that is lost
    /// leaves it unconfirmed.
    case unconfirmed(EnrolledConnection)
    /// The person signs in on this page, which leads back to the return URL.
    case page(WebAddress)
}

/// Why the bank's page, or what came back from it, connects nothing.
public enum EnrollmentRefusal: Error, Sendable, Equatable {
    /// The bank says so, in its own words; do not branch on them.
    case refused(errorClass: BankText?, message: BankText?)
    /// What came back names another connection than the one that was made.
    case foreignID
}

/// All providers, as they are wired.
public struct Providers: Sendable {
    public let all: [any Provider]

    public init(_ all: [any Provider]) {
        self.all = all
    }

    /// The one whose link this is.
    public func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        try provider(of: link.wires).enrollment(of: link, beside: known)
    }

    /// Whether the bank of this connection is asked what waits.
    public func isPolled(_ connection: Connection) -> Bool {
        connection.isKnownToBank && (try? provider(of: [connection.wireProtocol]))?.asksBanks ?? true
    }

    public func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        try provider(of: [connection.wireProtocol]).enrollment(again: connection, by: link, beside: known)
    }

    /// Whether connecting this again takes a new link.
    public func reconnectsByLink(_ connection: Connection) throws -> Bool {
        try provider(of: [connection.wireProtocol]).reconnectsByLink
    }

    /// Throws `BankError.refused` for a connection of a provider that this program does not have.
    public func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        try provider(of: [connection.wireProtocol]).service(for: connection, secrets: secrets)
    }

    /// The same connection with nothing but what listing needs: no names, no other details.
    public func bare(_ connection: Connection) throws -> Connection {
        let needed = try provider(of: [connection.wireProtocol]).detailsToList
        var bare = connection
        bare.name = ConnectionName(suggestedBy: BankText(""))
        bare.bankName = BankText("")
        bare.account = nil
        bare.supportEmail = nil
        bare.details = connection.details.filter { needed.contains($0.key) }
        return bare
    }

    /// What its provider needs of the store for it. Throws where a secret cannot be had.
    public func secrets(of connection: Connection, in store: any KeyStore) throws -> EnrolledSecrets {
        try EnrolledSecrets(
            provider(of: [connection.wireProtocol]).secretKinds, kept: connection.keyID, in: store)
    }

    public func forget() {
        for provider in all { provider.forget() }
    }

    private func provider(of wires: Set<WireProtocol>) throws -> any Provider {
        guard let found = all.first(where: { !$0.wires.isDisjoint(with: wires) }) else {
            throw BankError(.refused, "this program does not speak the protocol of that bank")
        }
        return found
    }
}
