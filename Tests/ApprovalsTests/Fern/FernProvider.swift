import Basics
import Crypto
import ApprovalModel
import Keys
import Synchronization

/// A second provider, with an invented wire: its requests come in links, have no expiry, and a denial is not sent; it
/// shares a secret with each connection, signs with an EC key, and has no message for a connection's end.
///
///     fern:enroll?user=ada&secret=s3
///     fern:enroll?user=ada&secret=s3&once=1           the keys are sent once, in a call whose answer can be lost
///     fern:ask?id=77&user=ada
///     fern:ask?id=78&user=ada&options=oak,elm         approving means choosing; `elm` is right
///     fern:ask?id=79&user=ada&code=07                 the answer brings a code
struct FernProvider: Provider {
    static let wire = WireProtocol(rawValue: "fern-1")

    /// The requests that links brought, and what was sent.
    final class Server: Sendable {
        struct Contents {
            var waiting: [BankID: Authorization] = [:]
            var codes: [BankID: String] = [:]
            /// The results of the calls that send keys, and of the proofs, in order; later ones succeed.
            var confirmations: [BankError?] = []
            var proofs: [BankError?] = []
            /// How often keys were sent.
            var handedIn = 0
            var sent: [String] = []
            /// The public key of each user's newest enrollment.
            var publicKeys: [String: P256.Signing.PublicKey] = [:]
        }
        let contents = Mutex(Contents())
    }

    let server = Server()
    var wires: Set<WireProtocol> { [Self.wire] }
    var secrets: [any DeclaredSecret] { [SecretName.shared, SecretName.signing] }
    var asksBanks = true

    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let link = link.content as? FernLinks.Enroll else { throw LinkError(.nothingUsable, "no link of Fern") }
        return FernEnrollment(link: link, server: server)
    }

    var reconnectsByLink: Bool { true }

    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        if let link { return try enrollment(of: link, beside: []) }
        throw BankError(.refused, "Fern enrolls nobody twice without a link")
    }

    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        FernService(
            connection: connection, secret: try secrets.load(.shared), key: try secrets.load(.signing), server: server)
    }

    func stateToList(_ state: ProviderState) throws -> ProviderState {
        try state.changed(FernState.self) { ($0.isOnce, $0.refused, $0.motto) = (false, 0, "") }
    }

    func facts(of connection: Connection) -> ConnectionFacts {
        ConnectionFacts(supportEmail: connection.fern.map { BankText("\($0.user)@fern.example") })
    }

    func forget() { server.contents.withLock { $0.waiting = [:] } }
}
