package import Basics
package import FoundationEssentials
package import SessionModel
import Synchronization
package import Web

/// The wire of OAuth 2.0 and OpenID Connect.
package struct OAuthService: IssuerService {
    let transport: Transport
    let now: @Sendable () -> Date
    let keys: KeySets
    private let others = TrustingServices()

    /// - Parameters:
    ///   - transport: owned by the caller, who shuts it down.
    ///   - now: our wall clock.
    package init(transport: Transport, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        self.now = now
        keys = KeySets(transport: transport)
    }

    package var authorities: AuthorityBundle? { transport.authorities }

    package func trusting(_ authorities: AuthorityBundle) -> any IssuerService { service(trusting: authorities) }

    func service(trusting authorities: AuthorityBundle) -> OAuthService {
        if let own = transport.authorities, own.with(authorities) == own { return self }
        return others.service(trusting: authorities) {
            OAuthService(transport: try Transport(transport, trusting: authorities), now: now)
        } ?? self
    }

    package func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement {
        guard let token = grant.idToken else { return .right }
        let expected = IDTokenExpectation(
            issuer: issuer, client: client.id, nonce: nil, time: grant.serverTime ?? now(),
            audiences: extras.idTokenAudiences, subject: identity.subject)
        switch try await keys.judge(token, expected, accessToken: grant.accessToken) {
        case .success: return .right
        case .failure(let fault): return fault.isOfAnother ? .ofAnother : .faulty(reason: fault.words)
        }
    }
}

/// The services that trust more authorities than the first one, each with the keys that it fetched.
private final class TrustingServices: Sendable {
    private let services = Mutex<[AuthorityBundle: OAuthService]>([:])

    /// Nil if the authorities cannot be read.
    func service(trusting authorities: AuthorityBundle, _ make: () throws -> OAuthService) -> OAuthService? {
        services.withLock { services in
            guard let known = services[authorities] else {
                let made = try? make()
                services[authorities] = made
                return made
            }
            return known
        }
    }
}
