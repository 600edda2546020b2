public import Basics
import FoundationEssentials
public import Sessions
import Web

extension OAuthService {
    public func refresh(
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
            case .unreachable(let reason, _): .notSent(reason: reason)
            case .noAnswer(let reason), .tooLarge(let reason, _, _): .noAnswer(reason: reason)
            }
        }
    }
}

extension TokenAnswer {
    /// What an answer of the token endpoint means (design 7.5; issuers-seen 1).
    init(_ answer: Answer) {
        switch answer.status {
        case 200:
            if let grant = TokenGrant(answer) {
                self = .granted(grant)
            } else if answer.object?["error"]?.text != nil, answer.object?["access_token"] == nil {
                // A definite error with the wrong status.
                self = .rejected(Rejection(answer))
            } else {
                self = .noAnswer(reason: "the answer is not one of a token endpoint")
            }
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
}

extension TokenGrant {
    /// A token is at most this long, in bytes.
    static let longestToken = 64 << 10

    /// A good answer (RFC 6749 section 5.1); nil for one that is malformed.
    init?(_ answer: Answer) {
        func secret(_ name: String) throws -> (any Secret)? {
            guard let member = object[name] else { return nil }
            guard let text = member.text, Self.isToken(text) else { throw Malformed() }
            return try text.locked()
        }
        struct Malformed: Error {}
        guard let found = answer.object else { return nil }
        let object = found
        do {
            guard let access = try secret("access_token") else { return nil }
            let type = object["token_type"]?.text ?? ""
            guard !type.isEmpty else { return nil }
            self.init(
                accessToken: access, type: type.lowercased() == "bearer" ? .bearer : .other(BankText(type)),
                lifetime: try Self.lifetime(object["expires_in"]), refreshToken: try secret("refresh_token"),
                idToken: try secret("id_token"), scopes: object["scope"]?.text.flatMap { Scopes($0) },
                serverTime: answer.serverTime)
        } catch {
            return nil
        }
    }

    /// Printable ASCII without space (RFC 6749 appendix A.12): a line feed would end the header that the token goes into.
    private static func isToken(_ text: String) -> Bool {
        (1...longestToken).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// Seconds; also as text, as some issuers write it. At most ten years.
    private static func lifetime(_ value: JSONValue?) throws -> Int64? {
        guard let seconds = value?.number ?? value?.text.flatMap(Double.init), seconds.isFinite else { return nil }
        return Int64(min(max(seconds, 0), 315_360_000))
    }
}
