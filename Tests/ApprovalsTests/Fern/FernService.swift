import Basics
import Crypto
import FoundationEssentials
import ApprovalModel
import Synchronization

struct FernService: BankService {
    let connection: Connection
    let secret: any Secret
    let key: P256.Signing.PrivateKey
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
            signature: try key.signature(for: Data(text.utf8)).rawRepresentation.base64EncodedString(), request: request
        )
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
            let user = connection.id.text
            guard
                let signature = Data(base64Encoded: decision.signature).flatMap({
                    try? P256.Signing.ECDSASignature(rawRepresentation: $0)
                }),
                contents.publicKeys[user]?.isValidSignature(signature, for: Data(text.utf8)) == true
            else { throw BankError(.refused, "that is not the key of \(user)") }
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
