package import Basics
import FoundationEssentials
package import SessionModel
import Web

extension OAuthService {
    package func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer {
        var form = Form()
        form.add("grant_type", "refresh_token")
        form.add("refresh_token", refreshToken)
        if let scopes = request.scopes, !scopes.isEmpty { form.add("scope", scopes.text) }
        form.add(request.resources, as: request.resourceParameter)
        let headers = client.authenticate(&form)
        do throws(CallError) {
            return TokenAnswer(try await transport.send(.token(issuer.tokenEndpoint, form, headers: headers)))
        } catch {
            return switch error {
            case .unreachable(let reason, let obstacle): .notSent(reason: reason, obstacle: obstacle)
            case .noAnswer(let reason), .tooLarge(let reason, _, _): .noAnswer(reason: reason)
            }
        }
    }
}

extension TokenAnswer {
    /// Interprets an answer of the token endpoint (oauth sections 7.5 and 9.2).
    init(_ answer: Answer) {
        switch answer.status {
        case 200..<300: self = Self.read(answer)
        case 429, 503:
            self = .later(
                reason: "the issuer has no time (HTTP \(answer.status))", retryAfter: answer.retryAfter.map(Int64.init))
        case 502 where answer.retryAfter != nil, 504 where answer.retryAfter != nil:
            self = .later(
                reason: "the issuer has no time (HTTP \(answer.status))", retryAfter: answer.retryAfter.map(Int64.init))
        case 300..<500: self = .rejected(Rejection(answer))
        default: self = .noAnswer(reason: "the issuer broke down (HTTP \(answer.status))")
        }
    }

    /// The content of an answer that reports success. Members that are not needed are not judged: an empty one counts
    /// as missing.
    private static func read(_ answer: Answer) -> TokenAnswer {
        guard let object = answer.object else {
            let words =
                answer.body.isEmpty
                ? "the issuer's answer is empty" : "the issuer's answer is no JSON object that can be read"
            return .unusable(
                UnusableAnswer(reason: "\(words) (HTTP \(answer.status))", refreshToken: nil, isOfIssuer: false))
        }
        let access = object.filled("access_token")
        // A definite error with the wrong status.
        if access == nil, object.filled("error") != nil { return .rejected(Rejection(answer)) }
        do {
            let refreshToken = try object.token("refresh_token")
            if let grant = try TokenGrant(object, refreshToken, serverTime: answer.serverTime) {
                return .granted(grant)
            }
            let reason =
                access == nil
                ? "the issuer's answer has no access token"
                : "the issuer's access token is no text that goes into a header"
            return .unusable(UnusableAnswer(reason: reason, refreshToken: refreshToken, isOfIssuer: true))
        } catch {
            return .noAnswer(reason: "there is no locked memory for the tokens")
        }
    }
}

extension TokenGrant {
    /// A token is at most this long, in bytes.
    static let longestToken = 64 << 10

    /// A good answer (RFC 6749 section 5.1); nil without an access token that can be used. Throws if no memory can be locked.
    fileprivate init?(_ object: JSON, _ refreshToken: (any Secret)?, serverTime: Date?) throws {
        guard let access = try object.token("access_token") else { return nil }
        // An answer without a type means the only common one.
        let type = object.filled("token_type")?.text ?? "Bearer"
        let scope = object.filled("scope")
        self.init(
            accessToken: access, type: type.lowercased() == "bearer" ? .bearer : .other(BankText(type)),
            lifetime: Self.lifetime(object["expires_in"]), refreshToken: refreshToken,
            idToken: try object.token("id_token"),
            // Some issuers write a list.
            scopes: scope?.text.flatMap { Scopes($0) } ?? scope?.texts.flatMap { Scopes($0) }, serverTime: serverTime)
    }

    /// Seconds; also as text, as some issuers write it. At most ten years. Nil for none, and for 0, as some say of tokens without an end.
    private static func lifetime(_ value: JSON?) -> Int64? {
        guard let seconds = value?.number ?? value?.text.flatMap(Double.init), seconds.isFinite, seconds >= 1
        else { return nil }
        return Int64(min(seconds, 315_360_000))
    }
}

extension JSON {
    /// A member that is not empty.
    fileprivate func filled(_ name: String) -> JSON? {
        self[name].flatMap { [.text(""), .array([])].contains($0.kind) ? nil : $0 }
    }

    /// A token, in locked memory; nil if there is none that can be used. Throws if no memory can be locked.
    fileprivate func token(_ name: String) throws -> (any Secret)? {
        guard let text = self[name]?.text, Self.isToken(text) else { return nil }
        return try text.locked()
    }

    /// Printable ASCII without space (RFC 6749 appendix A.12): a line feed would end the header that the token goes into.
    private static func isToken(_ text: String) -> Bool {
        (1...TokenGrant.longestToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
