import Basics
import FoundationEssentials
package import SessionModel
import Web

extension OAuthService {
    package func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt {
        guard let endpoint = issuer.deviceAuthorizationEndpoint else {
            throw .unsupported(reason: "the issuer has no device flow")
        }
        var form = Form()
        if !request.scopes.isEmpty { form.add("scope", request.scopes.text) }
        form.add(request.resources, as: request.extras.resourceParameter)
        for (name, value) in request.extras.sortedParameters { form.add(name, value) }
        let headers = client.authenticate(&form)
        let answer = try await transport.ask(.form(endpoint, form, headers: headers))
        guard answer.status == 200 else {
            if answer.status >= 500 || answer.status == 429 {
                throw .unreachable(reason: "the issuer gives no codes now (HTTP \(answer.status))")
            }
            throw .refused(Rejection(answer))
        }
        guard let object = answer.object, let code = DeviceCode(object),
            let secret = object["device_code"]?.text, (1...TokenGrant.longestToken).contains(secret.utf8.count)
        else { throw .contradiction(reason: "the issuer gave no code that can be entered, or no page for it") }
        guard issuer.issuer.address.isLoopback || !code.page.isLoopback else {
            throw .contradiction(reason: "an issuer elsewhere names a page on this computer")
        }
        guard let locked = try? secret.locked() else {
            throw .unreachable(reason: "there is no locked memory for a login")
        }
        return DevicePoll(service: self, request: request, client: client, issuer: issuer, secret: locked, code: code)
    }
}

extension DeviceCode {
    /// Returns nil if the answer has no usable code or page.
    init?(_ object: JSON) {
        guard let text = object["user_code"]?.text, (1...64).contains(text.utf8.count),
            // Some issuers use the draft's name, `verification_url`.
            let uri = (object["verification_uri"] ?? object["verification_url"])?.text, let page = try? WebAddress(uri)
        else { return nil }
        let whole = object["verification_uri_complete"]?.text.flatMap { try? WebAddress($0) }
        func seconds(_ name: String, in range: ClosedRange<Double>, usual: Int64) -> Int64 {
            guard let number = object[name]?.number, number.isFinite else { return usual }
            return Int64(min(max(number, range.lowerBound), range.upperBound))
        }
        self.init(
            text: BankText(text), page: page,
            // Both addresses must have the same origin, since the person may check only one of them.
            wholePage: whole?.origin == page.origin ? whole : nil,
            lifetime: seconds("expires_in", in: 1...86400, usual: 600),
            // 5 seconds by default (RFC 8628 section 3.2).
            interval: seconds("interval", in: 1...300, usual: 5))
    }
}

/// One device flow under way.
struct DevicePoll: DeviceAttempt {
    let service: OAuthService
    let request: DeviceRequest
    let client: ClientRegistration
    let issuer: IssuerMetadata
    let secret: any Secret
    let code: DeviceCode

    func poll() async -> DeviceAnswer {
        var form = Form()
        form.add("grant_type", OAuthService.deviceGrant)
        form.add("device_code", secret)
        form.add(request.resources, as: request.extras.resourceParameter)
        let headers = client.authenticate(&form)
        do throws(CallError) {
            return DeviceAnswer(
                TokenAnswer(
                    try await service.transport.send(.token(issuer.tokenEndpoint, form, headers: headers))))
        } catch {
            return switch error {
            case .unreachable: .later(retryAfter: nil)
            case .noAnswer, .tooLarge: .noAnswer
            }
        }
    }

    func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? {
        guard request.scopes.contains("openid"), let token = grant.idToken else { return nil }
        let expected = IDTokenExpectation(
            issuer: issuer, client: client.id, nonce: nil, time: grant.serverTime ?? service.now(),
            audiences: request.extras.idTokenAudiences)
        return try await service.keys.validate(token, expected, accessToken: grant.accessToken)
    }
}

extension DeviceAnswer {
    init(_ answer: TokenAnswer) {
        switch answer {
        case .granted(let grant): self = .granted(grant)
        case .rejected(let rejection):
            switch rejection.word?.untrusted {
            case "authorization_pending": self = .pending
            case "slow_down": self = .slowDown
            case "expired_token": self = .expired
            default: self = .rejected(rejection)
            }
        case .later(_, let seconds): self = .later(retryAfter: seconds)
        case .notSent: self = .later(retryAfter: nil)
        case .unusable(let answer): self = answer.isOfIssuer ? .unusable(reason: answer.reason) : .noAnswer
        case .noAnswer: self = .noAnswer
        }
    }
}
