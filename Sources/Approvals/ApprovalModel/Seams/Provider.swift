package import Basics
package import Keys

/// A kind of service that we speak with. A provider owns everything about its wire: its links, its enrollment, its
/// stored data, the way its items arrive, and its limits. Adding one takes a new target and one line where things are
/// wired (decision 28).
package protocol Provider: Sendable {
    /// The wires that its connections speak.
    var wires: Set<WireProtocol> { get }
    /// The secrets that it keeps with each of its connections.
    var secrets: [any DeclaredSecret] { get }
    /// The part of its state that listing needs. The rest is not kept while nothing may be shown.
    func stateToList(_ state: ProviderState) throws -> ProviderState
    /// The facts that it keeps about one of its connections.
    func facts(of connection: Connection) -> ConnectionFacts
    /// Whether its banks can be polled. If not, requests arrive only in links.
    var asksBanks: Bool { get }
    /// Begins the enrollment that one of its links offers. `known` is all existing connections, of every provider.
    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment
    /// Whether reconnecting needs a new link.
    var reconnectsByLink: Bool { get }
    /// Begins to reconnect one of its connections. `link` is for the same account; it is needed if `reconnectsByLink`.
    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment
    /// The service of one of its connections, ready to call. Throws the errors of `secrets`.
    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService
    /// Forgets the requests that links brought: they are content, which must not outlive the unlock.
    func forget()
}

extension Provider {
    package func stateToList(_ state: ProviderState) throws -> ProviderState { .none }

    package func facts(of connection: Connection) -> ConnectionFacts { ConnectionFacts() }

    package var asksBanks: Bool { true }

    package var reconnectsByLink: Bool { false }

    package func forget() {}
}

/// One enrollment at one provider: a state machine of the provider's own behind three steps. Take each step once, in this order,
/// but `take` once for every address that comes in. No step stores anything.
package protocol ProviderEnrollment: Sendable {
    /// Collects the facts for the question to the person, and makes nothing yet. Throws `BankError`.
    func begin() async throws -> EnrollmentOffer
    /// The person said yes: makes keys, and sends the bank the public parts and the address to which its page must lead
    /// back.
    func accept(returnURL: String) async throws -> EnrollmentStep
    /// Judges one address to which the browser was led; it may be forged. Nil if it does not belong to this enrollment.
    /// Throws `EnrollmentRefusal` and `BankError`; neither ends the enrollment, since any page can send an address.
    func take(_ address: String) async throws -> EnrolledConnection?
}

/// The step after the person's yes.
package enum EnrollmentStep: Sendable {
    /// The connection is complete; the bank needs no page.
    case enrolled(EnrolledConnection)
    /// The bank accepts the keys only once, by `BankService.confirm`. So the connection is stored before that, and a
    /// lost answer leaves it unconfirmed, together with the connections that it replaces.
    case unconfirmed(EnrolledConnection)
    /// The person signs in on this page, which leads back to the return URL.
    case page(WebAddress)
}

/// Why the bank's page, or the address that it led back to, connects nothing.
package enum EnrollmentRefusal: Error, Sendable, Equatable {
    /// The bank refused, in its own words; do not branch on them.
    case refused(errorClass: BankText?, message: BankText?)
    /// The answer names another connection than the new one.
    case foreignID
}

/// All providers that this program has.
package struct Providers: Sendable {
    package let all: [any Provider]

    package init(_ all: [any Provider]) {
        self.all = all
    }

    /// Begins the enrollment at the link's provider.
    package func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        try provider(of: link.wires).enrollment(of: link, beside: known)
    }

    /// Whether the bank of this connection is polled.
    package func isPolled(_ connection: Connection) -> Bool {
        connection.isKnownToBank && (try? provider(of: [connection.wireProtocol]))?.asksBanks ?? true
    }

    package func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        try provider(of: [connection.wireProtocol]).enrollment(again: connection, by: link, beside: known)
    }

    /// Whether reconnecting this connection needs a new link.
    package func reconnectsByLink(_ connection: Connection) throws -> Bool {
        try provider(of: [connection.wireProtocol]).reconnectsByLink
    }

    /// Throws `BankError.refused` for a connection of a provider that this program does not have.
    package func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        try provider(of: [connection.wireProtocol]).service(for: connection, secrets: secrets)
    }

    /// The facts that the connection's provider keeps; none if this program does not have that provider.
    package func facts(of connection: Connection) -> ConnectionFacts {
        (try? provider(of: [connection.wireProtocol]))?.facts(of: connection) ?? ConnectionFacts()
    }

    /// The connection reduced to the needs of listing: without names, and without the rest of its state.
    package func bare(_ connection: Connection) throws -> Connection {
        var bare = connection
        bare.name = ConnectionName(suggestedBy: BankText(""))
        bare.bankName = BankText("")
        bare.account = nil
        bare.replaced = []
        bare.state = try provider(of: [connection.wireProtocol]).stateToList(connection.state)
        return bare
    }

    /// The secrets that the connection's provider declares; none if this program does not have that provider.
    package func secrets(of connection: Connection) -> [any DeclaredSecret] {
        (try? provider(of: [connection.wireProtocol]))?.secrets ?? []
    }

    /// Loads the secrets that the connection's provider needs. Throws if one cannot be read.
    package func secrets(of connection: Connection, in store: any KeyStore) throws -> EnrolledSecrets {
        try EnrolledSecrets(
            provider(of: [connection.wireProtocol]).secrets, kept: connection.keyID, in: store)
    }

    package func forget() {
        for provider in all { provider.forget() }
    }

    private func provider(of wires: Set<WireProtocol>) throws -> any Provider {
        guard let found = all.first(where: { !$0.wires.isDisjoint(with: wires) }) else {
            throw BankError(.refused, "this program does not speak the protocol of that bank")
        }
        return found
    }
}
