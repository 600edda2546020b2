import Basics
import ApprovalModel
import Web

extension PushService {
    /// Signs the form that carries the answer (privacyidea-push section 8).
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        guard let challenge = PushChallenge.Signed(source: authorization.source.untrusted),
            let address = try? WebAddress(challenge.url)
        else { throw BankError(.cryptography, "the request has no address to answer to") }
        let own = [challenge.nonce, serial]
        let body: String
        let signed: (text: String, value: String)
        switch (reply.verdict, reply.option?.untrusted, reply.reason?.wire) {
        case (.approve, let option?, _):
            signed = try signature(of: own + [option])
            body = form(challenge.nonce, ["presence_answer": option, "signature": signed.value])
        case (.approve, nil, _):
            signed = try signature(of: own)
            body = form(challenge.nonce, ["signature": signed.value])
        case (.deny, _, let reason?):
            signed = try signature(of: own + ["decline", reason])
            body = form(
                challenge.nonce, ["decline": "1", "decline_reason": reason, "signature": signed.value])
        case (.deny, _, nil):
            signed = try signature(of: own + ["decline"])
            body = form(challenge.nonce, ["decline": "1", "signature": signed.value])
        }
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: Array(signed.text.utf8),
            signature: signed.value,
            request: SignedRequest(
                method: "POST", address: address, headers: [Form.header], body: Array(body.utf8)))
    }

    private func form(_ nonce: String, _ fields: KeyValuePairs<String, String>) -> String {
        Form.text(["serial": serial, "nonce": nonce]) + "&" + Form.text(fields)
    }

    /// Sends the answer once. `true` does not prove that the login succeeds (privacyidea-push section 8.1).
    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        let (decision, request) = (decision.decision, decision.decision.request)
        var call = Call.posted(request.address, [:])
        call.body = request.body
        let answer = try await transport.asking(call)
        switch answer.value?.kind {
        case .bool(true)?:
            memory.answered(decision.authorization.id, of: connection.guid)
            guard decision.verdict == .approve else { return DecisionAnswer(.denied) }
            return DecisionAnswer(.confirmed, code: Self.code(in: answer.detail))
        case .bool(false)?:
            return try await notTaken(decision.authorization, decision.verdict, answer)
        case nil where answer.answer.status == 404:
            throw answer.error(.refused, "the server no longer knows this token")
        default: throw answer.refusal("the server refused the answer (HTTP \(answer.answer.status))")
        }
    }

    /// Handles `false`, which has no reason: if the item is still listed, the answer was refused; if not, it came too
    /// late.
    private func notTaken(
        _ authorization: Authorization, _ verdict: Verdict, _ answer: PushAnswer
    ) async throws -> DecisionAnswer {
        var refused =
            authorization.options != nil && verdict == .approve
            ? answer.error(.otherOption, "the server did not take this option")
            : answer.error(.refused, "the server did not take the answer, which may not be allowed now")
        refused.bankMessage = answer.detail?["message"]?.text.map(BankText.init)
        guard let list = try? await authorizations() else { throw refused }
        guard list.listed.contains(authorization.id) else { return DecisionAnswer(.expired) }
        throw refused
    }

    /// The code to type at the other side (privacyidea-push section 8.3). The server sends it only once.
    private static func code(in detail: JSON?) -> DecisionAnswer.Code? {
        guard let code = detail?["display_code"] else { return nil }
        guard let text = code.text, (1...16).contains(text.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory.isPrintable })
        else { return .unreadable }
        return .text(BankText(text), message: detail?["message"]?.text.map(BankText.init))
    }

    // MARK: Calls that the protocol does not have

    func claim(_ action: ActionLink) async throws -> ActionAnswer {
        throw BankError(.actionRefused, "push tokens have no actions")
    }

    func revokeConnection() async throws {
        throw BankError(.refused, "the protocol has no message for the end of a token")
    }
}

extension DenialReason {
    /// The word on the wire.
    fileprivate var wire: String {
        switch self {
        case .notMe: "unknown_trigger"
        case .cancelled: "cancelled"
        }
    }
}

extension Unicode.GeneralCategory {
    /// Letters, digits and signs, which people can read and type.
    fileprivate var isPrintable: Bool {
        switch self {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }
}
