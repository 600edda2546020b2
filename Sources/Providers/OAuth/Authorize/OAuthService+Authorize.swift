import Basics
import Cryptography
package import SessionModel
import Web

extension OAuthService {
    package func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt {
        let secrets: AttemptSecrets
        do {
            secrets = try AttemptSecrets(withNonce: request.scopes.contains("openid"))
        } catch {
            throw .unreachable(reason: "there is no locked memory for a login, or no randomness")
        }
        var form = Form()
        form.add("response_type", "code")
        form.add("client_id", client.id.untrusted)
        form.add("redirect_uri", request.redirectURI)
        if !request.scopes.isEmpty { form.add("scope", request.scopes.text) }
        form.add("state", secrets.state)
        form.add("code_challenge", secrets.challenge)
        form.add("code_challenge_method", "S256")
        if let nonce = secrets.nonce { form.add("nonce", nonce) }
        form.add(request.resources, as: request.extras.resourceParameter)
        form.add("login_hint", request.account)
        form.add("prompt", request.prompt)
        form.add("max_age", request.maxAge.map(String.init))
        if !request.acrValues.isEmpty { form.add("acr_values", request.acrValues.joined(separator: " ")) }
        if !request.languages.all.isEmpty, request.extras.parameters["ui_locales"] == nil {
            form.add("ui_locales", request.languages.all.joined(separator: " "))
        }
        for (name, value) in request.extras.sortedParameters { form.add(name, value) }
        if issuer.requiresPushedRequests { form = try await push(form, as: client, at: issuer) }
        let endpoint = issuer.authorizationEndpoint
        guard let page = try? WebAddress(endpoint.text + (endpoint.query == nil ? "?" : "&") + form.text) else {
            throw .unsupported(reason: "what is asked for is too long for an address")
        }
        return Attempt(
            service: self, request: request, client: client, issuer: issuer, secrets: secrets, page: page)
    }

    /// Pushes the request (RFC 9126 section 2). Returns the parameters of the page's address (RFC 9126 section 4).
    private func push(
        _ form: Form, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> Form {
        guard let endpoint = issuer.pushedAuthorizationRequestEndpoint else {
            throw .contradiction(
                reason: issuer.words(
                    for: "pushed_authorization_request_endpoint",
                    missing: "the issuer wants requests pushed and does not say where"))
        }
        var whole = form
        // The request already has the client's id, so authenticate on a form of its own.
        var authentication = Form()
        let headers = client.authenticate(&authentication)
        if client.authentication == .post, let secret = client.secret { whole.add("client_secret", secret.secret) }
        let answer = try await transport.ask(.form(endpoint, whole, headers: headers))
        guard [200, 201].contains(answer.status) else {
            if answer.status >= 500 || answer.status == 429 {
                throw .unreachable(reason: "the issuer cannot take the request now (HTTP \(answer.status))")
            }
            throw .refused(Rejection(answer))
        }
        guard let uri = answer.object?["request_uri"]?.text else {
            throw .contradiction(reason: "the issuer took the pushed request and gave nothing for it")
        }
        var short = Form()
        short.add("client_id", client.id.untrusted)
        short.add("request_uri", uri)
        return short
    }
}

/// The secrets of one login (oauth section 6.4).
struct AttemptSecrets: Sendable {
    let state: LockedBytes
    let verifier: LockedBytes
    /// S256 of the verifier (RFC 7636 section 4.2).
    let challenge: String
    let nonce: LockedBytes?

    /// Throws `CryptoError`.
    init(withNonce: Bool) throws {
        state = try Self.random()
        verifier = try Self.random()
        nonce = withNonce ? try Self.random() : nil
        challenge = Base64.encodeURL(Digest.sha256(verifier.withBytes { Array($0) }))
    }

    /// 32 random bytes as 43 characters.
    private static func random() throws -> LockedBytes {
        try LockedBytes.random(32).withBytes { try Base64.encodeURL(Array($0)).locked() }
    }
}
