import Basics
import FoundationEssentials
import Keys
package import SessionModel
import Web

extension OAuthService {
    /// Facts about this program that the issuer receives (RFC 7591 section 2).
    private struct ClientMetadata: Encodable {
        var client_name = "Countersign"
        var software_id = "5ad1b1e6-4b34-4a3b-9d5a-7c0f9a1f6a52"
        var software_version = ProductVersion.text
        var redirect_uris: [String]
        var grant_types = ["authorization_code", "refresh_token"]
        var response_types = ["code"]
        var token_endpoint_auth_method: String
        var application_type = "native"
    }

    package func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration {
        guard let endpoint = issuer.registrationEndpoint else { throw .noRegistration }
        let method = issuer.authenticationToRegister
        var answer = try await register(redirectURI, forDevices ? Self.deviceGrant : nil, method, at: endpoint)
        // One issuer has its own name for this grant, but only in registrations.
        if forDevices, answer.status == 400, answer.object?["error"]?.text == "invalid_client_metadata" {
            answer = try await register(redirectURI, "device_authorization", method, at: endpoint)
        }
        // One issuer answers 200.
        guard [200, 201].contains(answer.status) else {
            if answer.status >= 500 || answer.status == 429 {
                throw .unreachable(reason: "the issuer cannot register programs now (HTTP \(answer.status))")
            }
            throw .refused(Rejection(answer))
        }
        guard let object = answer.object, let id = object["client_id"]?.text, !id.isEmpty, id.utf8.count <= 1024 else {
            throw .contradiction(reason: "the issuer registered this program and did not say as what")
        }
        do {
            var client = ClientRegistration(id: BankText(id), redirectURI: redirectURI, isRegisteredHere: true)
            client.isForDevices = forDevices
            let method = object["token_endpoint_auth_method"]?.text ?? "none"
            if let known = ClientRegistration.Authentication(rawValue: method), known != .public {
                guard let secret = object["client_secret"]?.text else {
                    throw IssuerError.contradiction(reason: "the issuer wants a secret that it did not give")
                }
                client.authentication = known
                client.secret = SecretSlot(try secret.locked())
            } else if method != "none" {
                throw IssuerError.unsupported(reason: "the issuer wants a client authentication that is not spoken")
            } else if let secret = object["client_secret"]?.text, !secret.isEmpty {
                // Some issuers give one to a public client, too; one of them then takes no client without it.
                client.unaskedSecret = SecretSlot(try secret.locked())
            }
            if let address = object["registration_client_uri"]?.text.flatMap({ try? WebAddress($0) }),
                address.origin == endpoint.origin, let token = object["registration_access_token"]?.text
            {
                client.management = .init(address: address, token: SecretSlot(try token.locked()))
            }
            return client
        } catch let error as IssuerError {
            throw error
        } catch {
            throw .unreachable(reason: "there is no locked memory for the registration")
        }
    }

    package func unregister(_ client: ClientRegistration) async throws(IssuerError) {
        guard let management = client.management else { throw .refused(Rejection(.other)) }
        let token = management.token.secret.withBytes { String(decoding: $0, as: UTF8.self) }
        var call = Call.document(management.address)
        call.method = "DELETE"
        call.headers.append(("Authorization", "Bearer " + token))
        let answer = try await transport.ask(call)
        switch answer.status {
        case 200..<300: return
        case 429, 500...: throw .unreachable(reason: "the issuer deletes no registration now (HTTP \(answer.status))")
        default: throw .refused(Rejection(answer))
        }
    }

    /// `grant`: a grant type to ask for besides the code flow and renewals.
    private func register(
        _ redirectURI: String, _ grant: String?, _ method: ClientRegistration.Authentication, at endpoint: WebAddress
    ) async throws(IssuerError) -> Answer {
        var metadata = ClientMetadata(redirect_uris: [redirectURI], token_endpoint_auth_method: method.rawValue)
        if let grant { metadata.grant_types.append(grant) }
        guard let body = try? JSONEncoder().encode(metadata) else {
            throw .unsupported(reason: "the registration cannot be written")
        }
        return try await transport.ask(.posted(endpoint, Array(body), "application/json"))
    }

    /// RFC 8628 section 3.4.
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
}

extension IssuerMetadata {
    /// How this program asks to authenticate. Public, unless the issuer revokes tokens only for clients with a secret: a secret
    /// made for one registration is kept as safely as a token (RFC 8252 section 8.4).
    fileprivate var authenticationToRegister: ClientRegistration.Authentication {
        guard let revoking = revocationEndpointAuthMethods, !revoking.contains("none") else { return .public }
        let known: [ClientRegistration.Authentication] = [.basic, .post]
        return known.first {
            revoking.contains($0.rawValue) && tokenEndpointAuthMethods?.contains($0.rawValue) ?? true
        } ?? .public
    }
}
