import Basics
import ApprovalModel
import Web

extension V1Service {
    /// Makes and signs the PUT with the verdict and the authorization's code (saltedge-v1 section 8.4).
    func sign(_ reply: Reply, on authorization: Authorization, clockCorrection: Int) throws -> SignedDecision {
        let address = connection.baseURL.appending(path: V1.path + "/authorizations/" + authorization.id.percentEncoded)
        var answer: [(String, JSONText)] = [("confirm", .bool(reply.verdict == .approve))]
        if let code = authorization.code { answer.append(("authorization_code", .text(code.untrusted))) }
        let body = JSONText.object([("data", .object(answer))]).bytes
        let signature = try sign(
            "PUT", address, body: body, expiresAt: expiry(of: authorization, correction: clockCorrection))
        var headers = signature.headers + [Self.authorizationType]
        if let position = reply.position { headers.append(("GEO-Location", position.wire)) }
        return SignedDecision(
            authorization: authorization, verdict: reply.verdict, signedBytes: signature.bytes,
            signature: signature.value,
            request: SignedRequest(method: "PUT", address: address, headers: headers, body: body))
    }

    func send(_ decision: RecordedDecision) async throws -> DecisionAnswer {
        let call = Call(decision.decision.request).with(token: token)
        let answer = try await transport.ask(call)
        do {
            // `success:false` comes with HTTP 200 and means that nothing was decided.
            guard try answer.data(V1Success.self, .v1).success else {
                throw BankError(.refused, "the bank did not accept the code of this request", status: answer.status)
            }
        } catch let error as BankError {
            if error.kind == .signatureExpired { _ = try? learnClock(from: error) }
            throw error
        }
        return DecisionAnswer(decision.decision.verdict == .approve ? .confirmed : .denied)
    }
}

/// The flag with which v1 answers each change. Salt Edge's own apps ignore it; we must not.
struct V1Success: Decodable {
    var success: Bool
}
