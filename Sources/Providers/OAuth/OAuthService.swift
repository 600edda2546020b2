import Basics
public import FoundationEssentials
public import Sessions
public import Web

/// The wire of OAuth 2.0 and OpenID Connect.
public struct OAuthService: IssuerService {
    let transport: Transport
    let now: @Sendable () -> Date
    let keys: KeySets

    /// - Parameters:
    ///   - transport: owned by the caller, who shuts it down.
    ///   - now: our wall clock.
    public init(transport: Transport, now: @escaping @Sendable () -> Date) {
        self.transport = transport
        self.now = now
        keys = KeySets(transport: transport)
    }

    public func judge(
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
