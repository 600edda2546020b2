import ApprovalModel
import Web

extension V2Service {
    /// Signs the authorization's code, sealed for the provider. Only the address says whether it confirms or denies
    /// (saltedge-v2 section 8.5). So a denial could be used as an approval, which is why it takes the PIN, too:
    /// `passcode` is true for both.
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        let payload = JSONText.object([
            ("authorization_code", .text(authorization.code?.untrusted ?? "")),
            ("user_authorization_type", .text("passcode")), ("geolocation", .text(reply.position?.wire ?? "")),
        ])
        let signed = try sign(
            try V2.seal(payload.bytes, for: state.providerKey, known: providerKeys),
            expiresAt: expiry(of: authorization, correction: clockCorrection))
        let word = reply.verdict == .approve ? "confirm" : "deny"
        // The id in the path is percent-encoded.
        let path = "\(V2.path)/authorizations/\(authorization.id.percentEncoded)/\(word)"
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: signed.input, signature: signed.value,
            request: SignedRequest(
                method: "PUT", address: connection.baseURL.appending(path: path), headers: [signed.header],
                body: signed.body))
    }

    /// Sends a decision. The outcome is the status in the answer; HTTP success does not mean that the bank confirmed
    /// it.
    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        let signed = decision.decision
        let answer = try await transport.ask(Call(signed.request).with(token: token))
        do {
            let said = try answer.data(Decided.self, .v2)
            guard said.id == nil || said.id == signed.authorization.id else {
                throw answer.malformed("the bank answered for another item")
            }
            var machine = StatusMachine()
            _ = machine.act(signed.verdict)
            machine.hear(AuthorizationStatus(word: said.status))
            if machine.isOverturned { throw BankError.denialOverturned }
            return DecisionAnswer(machine.outcome ?? .processing)
        } catch let error as BankError {
            if error.kind == .signatureExpired { _ = try? learnClock(from: error) }
            throw error
        }
    }

    private struct Decided: Decodable {
        var id: BankID?
        var status: String
    }
}
