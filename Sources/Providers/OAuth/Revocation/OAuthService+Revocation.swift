package import Basics
package import SessionModel
import Web

extension OAuthService {
    package func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) {
        guard let endpoint = issuer.revocationEndpoint else { throw .noRevocation }
        var form = Form()
        form.add("token", token)
        form.add("token_type_hint", kind.rawValue)
        let headers = client.authenticate(&form)
        let answer = try await transport.ask(.form(endpoint, form, headers: headers))
        switch answer.status {
        case 200..<300: return
        case 429, 500...: throw .unreachable(reason: "the issuer cannot revoke now (HTTP \(answer.status))")
        default: throw .refused(Rejection(answer))
        }
    }
}
