package import Basics
import FoundationEssentials
package import SessionModel
import Web

extension OAuthService {
    package func userInfo(
        _ accessToken: any Secret, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> UserProfile {
        guard let endpoint = issuer.userInfoEndpoint else { throw .unsupported(reason: "the issuer has no UserInfo") }
        var call = Call.document(endpoint)
        call.headers.append(
            ("Authorization", "Bearer " + accessToken.withBytes { String(decoding: $0, as: UTF8.self) }))
        call.pace = .quick
        let answer = try await transport.ask(call)
        switch answer.status {
        case 200: break
        case 429, 500...: throw .unreachable(reason: "the issuer's UserInfo cannot be had (HTTP \(answer.status))")
        default:
            throw .refused(
                Rejection(.other, word: answer.object?["error"]?.text.map(BankText.init), status: answer.status))
        }
        guard let object = answer.object, let subject = object["sub"]?.text, (1...255).contains(subject.utf8.count)
        else { throw .contradiction(reason: "the issuer's UserInfo is no profile that can be read") }
        func text(_ name: String) -> BankText? { object[name]?.text.map(BankText.init) }
        return UserProfile(
            subject: BankText(subject), name: text("name"), preferredUsername: text("preferred_username"),
            email: text("email"))
    }
}
