import Basics
import FoundationEssentials
import SCA
import Synchronization

/// A second provider, with an invented wire: its requests come in links, have no expiry, and a denial is not sent; it
/// shares a secret with each connection, and has no message for a connection's end.
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
        }
        let contents = Mutex(Contents())
    }

    let server = Server()
    var wires: Set<WireProtocol> { [Self.wire] }
    var secretKinds: Set<SecretKind> { [.shared] }
    var asksBanks = true

    func enrollment(of link: ConnectLink, beside known: [Connection]) throws -> any ProviderEnrollment {
        guard let link = link.content as? FernLinks.Enroll else { throw LinkError(.nothingUsable, "no link of Fern") }
        return FernEnrollment(link: link)
    }

    var reconnectsByLink: Bool { true }

    func enrollment(
        again connection: Connection, by link: ConnectLink?, beside known: [Connection]
    ) throws -> any ProviderEnrollment {
        if let link { return try enrollment(of: link, beside: []) }
        throw BankError(.refused, "Fern enrolls nobody twice without a link")
    }

    func service(for connection: Connection, secrets: any ConnectionSecrets) throws -> any BankService {
        FernService(connection: connection, secret: try secrets.sharedSecret(), server: server)
    }

    func stateToList(_ state: ProviderState) throws -> ProviderState {
        try state.changed(FernState.self) { ($0.isOnce, $0.refused, $0.motto) = (false, 0, "") }
    }

    func facts(of connection: Connection) -> ConnectionFacts {
        ConnectionFacts(supportEmail: connection.fern.map { BankText("\($0.user)@fern.example") })
    }

    func forget() { server.contents.withLock { $0.waiting = [:] } }
}

/// The facts that Fern keeps with a connection.
struct FernState: Codable, Equatable {
    var user: String
    /// Whether the keys are still to be sent, in a call whose answer can be lost.
    var isOnce = false
    /// How many answers Fern refused.
    var refused = 0
    var motto = "green"
}

extension Connection {
    /// Nil for a connection of another provider.
    var fern: FernState? { wireProtocol == FernProvider.wire ? try? state.read() : nil }
}

struct FernLinks: LinkReader {
    struct Enroll: Sendable {
        var user: String
        var secret: String
        var isOnce: Bool
    }

    struct Ask: Sendable {
        var id: BankID
        var options: [BankText]?
        var code: String?
    }

    func read(_ link: LinkText) throws(LinkError) -> Link? {
        guard link.scheme == "fern" else { return nil }
        guard let query = link.text.behind("?").map({ QueryParameters($0) }), let user = query["user"].map(String.init)
        else { throw LinkError(.incomplete, "the link names no user") }
        if let secret = query["secret"].map(String.init) {
            guard let address = try? WebAddress("https://fern.example") else {
                throw LinkError(.badAddress, "no address")
            }
            return .connect(
                ConnectLink(
                    wires: [FernProvider.wire], address: address,
                    content: Enroll(user: user, secret: secret, isOnce: query.has("once"))
                ) { $0.fern?.user == user })
        }
        guard let id = query["id"].flatMap({ BankID(String($0)) }) else {
            throw LinkError(.incomplete, "the link names no request")
        }
        let ask = Ask(
            id: id, options: query["options"]?.split(separator: ",").map { BankText(Percent.decode($0) ?? String($0)) },
            code: query["code"].map(String.init))
        return .action(
            ActionLink(
                id: BankText(id.text), bank: BankText("Fern"), returnTo: nil, isRequest: true,
                isFor: { $0.fern?.user == user }, content: ask))
    }
}

/// The link holds everything, so no page is opened.
private struct FernEnrollment: ProviderEnrollment {
    let link: FernLinks.Enroll

    func begin() async throws -> EnrollmentOffer {
        let address = try WebAddress("https://fern.example")
        return EnrollmentOffer(bankName: BankText("Fern"), source: address, baseURL: address)
    }

    func accept(_ terms: EnrollmentTerms) async throws -> EnrollmentStep {
        guard let id = BankID(link.user) else { throw BankError(.refused, "nobody") }
        let enrolled = EnrolledConnection(
            id: id, wireProtocol: FernProvider.wire, baseURL: try WebAddress("https://fern.example"),
            bankName: BankText("Fern"), state: try ProviderState(FernState(user: link.user, isOnce: link.isOnce)),
            secrets: EnrolledSecrets(shared: PlainSecret(link.secret)))
        return link.isOnce ? .unconfirmed(enrolled) : .enrolled(enrolled)
    }

    func take(_ address: String) async throws -> EnrolledConnection? { nil }
}

private struct FernService: BankService {
    let connection: Connection
    let secret: any Secret
    let server: FernProvider.Server

    var tellsEnd: Bool { false }
    var isConfirmed: Bool { connection.fern?.isOnce == false }

    func confirm() async throws -> ProviderState {
        let fault = server.contents.withLock { contents in
            contents.handedIn += 1
            return contents.confirmations.isEmpty ? nil : contents.confirmations.removeFirst()
        }
        if let fault { throw fault }
        return try connection.state.changed(FernState.self) { $0.isOnce = false }
    }

    func authorizations() async throws -> AuthorizationList {
        let waiting = server.contents.withLock { Array($0.waiting.values) }
        return AuthorizationList(
            authorizations: waiting, faults: [], listed: Set(waiting.map(\.id)), bankTime: nil)
    }

    func authorization(_ id: BankID) async throws -> Authorization {
        guard let found = server.contents.withLock({ $0.waiting[id] }) else {
            throw BankError(.authorizationGone, "the link was dropped")
        }
        return found
    }

    /// The link is itself the request.
    func claim(_ action: ActionLink) async throws -> ActionAnswer {
        guard let ask = action.content as? FernLinks.Ask,
            let fingerprint = Fingerprint(bytes: Array(repeating: 9, count: 32))
        else { throw BankError(.actionRefused, "no link of Fern") }
        let authorization = Authorization(
            connection: connection.guid, id: ask.id, status: .pending, title: BankText("Sign in to Fern"),
            content: AuthorizationContent(parts: [.text(BankText("as ada"))]), source: BankText("{}"), code: nil,
            createdAt: nil, expiresAt: nil, fingerprint: fingerprint, isDenialTold: false, options: ask.options,
            denialReasons: [.notMe])
        server.contents.withLock {
            $0.waiting[ask.id] = authorization
            $0.codes[ask.id] = ask.code
        }
        return ActionAnswer(success: true, authorization: ask.id)
    }

    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        let secret = secret.withBytes { String(decoding: $0, as: UTF8.self) }
        let said = [reply.option?.untrusted, reply.reason?.rawValue].compactMap { $0 }
        let text = ([authorization.id.text, secret] + said).joined(separator: "|")
        let request = SignedRequest(
            method: "POST", address: try WebAddress("https://fern.example"), headers: [], body: Array(text.utf8))
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict,
            signedBytes: reply.verdict == .approve ? request.body : [],
            signature: "", request: request)
    }

    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        let decision = decision.decision
        let text = String(decoding: decision.request.body, as: UTF8.self)
        return try server.contents.withLock { contents in
            let id = decision.authorization.id
            guard decision.verdict == .approve else {
                contents.waiting[id] = nil
                return DecisionAnswer(.denied)
            }
            contents.sent.append(text)
            guard decision.authorization.options == nil || text.hasSuffix("|elm") else {
                var error = BankError(.refused, "that is not what the page shows")
                error.standing = Standing(connection.status) { try $0.changed(FernState.self) { $0.refused += 1 } }
                throw error
            }
            contents.waiting[id] = nil
            return DecisionAnswer(.confirmed, code: contents.codes[id].map { .text(BankText($0), message: nil) })
        }
    }

    func revokeConnection() async throws { throw Unprovided("revokeConnection") }
    func prove() async throws {
        let fault = server.contents.withLock { $0.proofs.isEmpty ? nil : $0.proofs.removeFirst() }
        if let fault { throw fault }
    }
}
