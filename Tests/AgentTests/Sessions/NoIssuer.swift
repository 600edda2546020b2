import Basics
import LocalSocket
import SessionModel
import Synchronization
import Testing

/// An issuer that must not be asked.
struct NoIssuer: IssuerService {
    private func unexpected() -> IssuerError {
        Issue.record("no call to an issuer was expected")
        return .unsupported(reason: "unprovided")
    }

    func discover(_ target: WebAddress, issuer: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        throw unexpected()
    }
    func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration { throw unexpected() }
    func unregister(_ client: ClientRegistration) async throws(IssuerError) { throw unexpected() }
    func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt { throw unexpected() }
    var authorities: AuthorityBundle? { nil }
    func trusting(_ authorities: AuthorityBundle) -> any IssuerService { self }
    func describe(_ resource: WebAddress, at place: WebAddress?) async throws(IssuerError) -> ResourceDescription {
        throw unexpected()
    }
    func challenges(of resource: WebAddress) async -> Challenges? {
        _ = unexpected()
        return nil
    }
    func userInfo(_ accessToken: any Secret, at issuer: IssuerMetadata) async throws(IssuerError) -> UserProfile {
        throw unexpected()
    }
    func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt { throw unexpected() }
    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer { .notSent(reason: "\(unexpected())") }
    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement { throw unexpected() }
    func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) { throw unexpected() }
}

/// The programs of callers, by their command.
final class Programs: Sendable {
    private let programs = Mutex<[String: PeerProgram]>([:])

    subscript(requester: Requester) -> PeerProgram? {
        programs.withLock { programs in requester.commands.first.flatMap { programs[$0] } }
    }

    func set(_ program: PeerProgram?, of command: String) { programs.withLock { $0[command] = program } }
}
