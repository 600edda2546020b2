import Basics
import Cryptography
import SessionModel
import Web

/// One authorization under way.
struct Attempt: AuthorizationAttempt {
    let service: OAuthService
    let request: AuthorizationRequest
    let client: ClientRegistration
    let issuer: IssuerMetadata
    let secrets: AttemptSecrets
    let page: WebAddress

    func judge(_ address: String) -> RedirectJudgement {
        let found = Substring(address).before("#")
        guard
            let query = RedirectStart.all(for: request.redirectURI).lazy.compactMap({ found.dropping(prefix: $0) })
                .first
        else { return .notOurs }
        var values: [String: [String]] = [:]
        for pair in query.utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            guard let name = Percent.decode(pair.before("="), plusIsSpace: true) else { continue }
            // Some issuers escape text in Latin-1: text that cannot be decoded counts as empty.
            values[name, default: []].append(Percent.decode(pair.behind("=") ?? "", plusIsSpace: true) ?? "")
        }
        guard let states = values["state"], states.count == 1, let state = try? states[0].locked(),
            secrets.state.equals(state)
        else { return .notOurs }
        for name in ["iss", "error", "error_description", "error_uri", "code"] where (values[name]?.count ?? 0) > 1 {
            return .contradiction(reason: "the redirect says its \(name) twice")
        }
        let error = values["error"]?.first
        if let named = values["iss"]?.first {
            guard issuer.issuer.isNamed(by: named) else {
                return .contradiction(reason: IssuerError.words("the redirect", names: named, not: issuer.issuer))
            }
        } else if issuer.namesIssuerInRedirect, error == nil {
            // Not for errors: two of four issuers that promise `iss` leave it out of them, and an error brings no tokens.
            return .contradiction(reason: "the redirect does not name its issuer, which promised to")
        }
        if let error {
            return .refused(
                Rejection(
                    Rejection.kind(error) ?? .other, word: BankText(error),
                    text: values["error_description"]?.first.map(BankText.init),
                    page: values["error_uri"]?.first.map(BankText.init)))
        }
        guard let code = values["code"]?.first, (1...4096).contains(code.utf8.count), let secret = try? code.locked()
        else { return .contradiction(reason: "the redirect brings neither a code nor an error") }
        return .code(secret)
    }

    func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
        var form = Form()
        form.add("grant_type", "authorization_code")
        form.add("code", code)
        form.add("redirect_uri", request.redirectURI)
        form.add("code_verifier", secrets.verifier)
        form.add(request.resources, as: request.extras.resourceParameter)
        let headers = client.authenticate(&form)
        let answer: Answer
        do {
            answer = try await service.transport.send(.token(issuer.tokenEndpoint, form, headers: headers))
        } catch {
            switch error {
            case .unreachable(let reason, let obstacle): throw .unreachable(reason: reason, obstacle: obstacle)
            case .noAnswer(let reason), .tooLarge(let reason, _, _): throw .noAnswer(reason: reason)
            }
        }
        switch TokenAnswer(answer) {
        case .granted(let grant): return grant
        case .rejected(let rejection): throw .refused(rejection)
        case .later(let reason, _), .notSent(let reason, _): throw .unreachable(reason: reason)
        case .unusable(let answer): throw .noAnswer(reason: answer.reason)
        case .noAnswer(let reason): throw .noAnswer(reason: reason)
        }
    }

    func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? {
        guard let nonce = secrets.nonce else { return nil }
        guard let token = grant.idToken else {
            throw .contradiction(reason: "the issuer gave no ID token, which was asked for")
        }
        let expected = IDTokenExpectation(
            issuer: issuer, client: client.id, nonce: nonce, time: grant.serverTime ?? service.now(),
            maxAge: request.maxAge, acrValues: request.acrValues, audiences: request.extras.idTokenAudiences)
        return try await service.keys.validate(token, expected, accessToken: grant.accessToken)
    }
}
