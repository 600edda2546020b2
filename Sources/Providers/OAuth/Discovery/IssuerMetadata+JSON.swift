import Basics
import FoundationEssentials
import SessionModel

extension IssuerMetadata {
    /// Merges an issuer's one or two documents, whose `issuer` the caller has checked. Throws `contradiction` and `unsupported`.
    init(_ first: JSON, _ second: JSON?, fetchedAt: Date) throws(IssuerError) {
        /// A member of the first document that has it.
        func member(_ name: String) -> JSON? { first[name] ?? second?[name] }
        func address(_ name: String) throws(IssuerError) -> WebAddress? {
            guard let member = member(name) else { return nil }
            guard let text = member.text, let address = try? WebAddress(text), address.fragment == nil else {
                throw .contradiction(reason: "the issuer's \(name) is no address that is called")
            }
            return address
        }
        for name in ["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri"] {
            guard let one = first[name], let other = second?[name], !Self.isSame(one, other) else { continue }
            // A login may not need the keys.
            if name == "jwks_uri", ![one, other].allSatisfy({ $0.text.flatMap { try? WebAddress($0) } != nil }) {
                continue
            }
            throw .contradiction(
                reason:
                    "the issuer's two documents differ in their \(name): \(Self.words(one)) and \(Self.words(other))")
        }
        var unusable: [String: BankText] = [:]
        /// An endpoint that a login can do without; nil if it is missing or cannot be called.
        func spare(_ name: String) -> WebAddress? {
            let told = [first[name], second?[name]].compactMap(\.self)
            let usable = told.lazy.compactMap { $0.text.flatMap { try? WebAddress($0) } }.first { $0.fragment == nil }
            if usable == nil, let text = told.first { unusable[name] = BankText(String((text.text ?? "").prefix(400))) }
            return usable
        }
        guard let text = member("issuer")?.text, let issuer = Issuer(text) else {
            throw .contradiction(reason: "the issuer's name is no address")
        }
        guard let authorization = try address("authorization_endpoint"), let token = try address("token_endpoint")
        else { throw .unsupported(reason: "the issuer has no authorization endpoint, or no token endpoint") }
        if let types = member("response_types_supported")?.texts, !types.contains("code") {
            throw .unsupported(reason: "the issuer does not offer the code flow")
        }
        if let methods = member("code_challenge_methods_supported")?.texts, !methods.contains("S256") {
            throw .unsupported(reason: "the issuer does not offer PKCE with S256")
        }
        self.init(issuer: issuer, authorizationEndpoint: authorization, tokenEndpoint: token, fetchedAt: fetchedAt)
        registrationEndpoint = spare("registration_endpoint")
        revocationEndpoint = spare("revocation_endpoint")
        pushedAuthorizationRequestEndpoint = spare("pushed_authorization_request_endpoint")
        deviceAuthorizationEndpoint = spare("device_authorization_endpoint")
        userInfoEndpoint = spare("userinfo_endpoint")
        endSessionEndpoint = spare("end_session_endpoint")
        keys = spare("jwks_uri")
        unusableEndpoints = unusable.isEmpty ? nil : unusable
        scopesSupported = member("scopes_supported")?.texts
        tokenEndpointAuthMethods = member("token_endpoint_auth_methods_supported")?.texts
        revocationEndpointAuthMethods = member("revocation_endpoint_auth_methods_supported")?.texts
        idTokenAlgorithms = member("id_token_signing_alg_values_supported")?.texts
        requiresPushedRequests = member("require_pushed_authorization_requests")?.isTrue ?? false
        namesIssuerInRedirect = member("authorization_response_iss_parameter_supported")?.isTrue ?? false
        let all = [
            authorization, token, registrationEndpoint, revocationEndpoint, pushedAuthorizationRequestEndpoint,
            deviceAuthorizationEndpoint, userInfoEndpoint, endSessionEndpoint, keys,
        ]
        guard issuer.address.isLoopback || !all.contains(where: { $0?.isLoopback == true }) else {
            throw .contradiction(reason: "an issuer elsewhere names an address on this computer")
        }
    }

    /// Compares members by the addresses that they are, or else as they are.
    private static func isSame(_ one: JSON, _ other: JSON) -> Bool {
        guard let first = one.text.flatMap({ Issuer($0) }), let second = other.text.flatMap({ Issuer($0) }) else {
            return one == other
        }
        return first == second
    }

    private static func words(_ member: JSON) -> String { member.text.map(IssuerError.quoted) ?? "no text" }
}
