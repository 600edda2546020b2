@testable import Agent
import Basics
import Keys
import SessionModel
import Synchronization
import Testing

/// An issuer in memory, which registers programs and signs in whoever the test says.
final class MemoryIssuer: IssuerService {
    struct State {
        var subject = "mira"
        /// Of the device flow.
        var answer = DeviceAnswer.pending
        /// Of renewals; nil where none is expected.
        var renewal: TokenAnswer?
        /// Runs while a code is being exchanged.
        var whileExchanging: @Sendable () async -> Void = {}
        var whileDiscovering: @Sendable () async -> Void = {}
        var whileRegistering: @Sendable () async -> Void = {}
        var whileRenewing: @Sendable () async -> Void = {}
        var whileRevoking: @Sendable () async throws(IssuerError) -> Void = { () async throws(IssuerError) in }
    }

    static let address = "https://oak.example"
    static let page = address + "/page"
    let state = Mutex(State())
    /// What was made and ended here.
    let calls = Recorded<String>()

    private static func grant() -> TokenGrant {
        let secrets = ["a", "r"].map { try? MemoryGate.secret($0) }
        return TokenGrant(accessToken: secrets[0]!, type: .bearer, refreshToken: secrets[1])
    }

    private static func metadata() throws(IssuerError) -> IssuerMetadata {
        guard let issuer = Issuer(address), let page = try? WebAddress(page) else {
            throw .unsupported(reason: "no issuer")
        }
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: page, tokenEndpoint: issuer.address, fetchedAt: ManualClock.start)
        metadata.registrationEndpoint = issuer.address
        metadata.deviceAuthorizationEndpoint = issuer.address
        return metadata
    }

    private struct Attempt: AuthorizationAttempt, DeviceAttempt {
        let issuer: MemoryIssuer
        let page: WebAddress

        var code: DeviceCode {
            DeviceCode(text: BankText("ABCD"), page: page, wholePage: nil, lifetime: 600, interval: 5)
        }

        func judge(_ address: String) -> RedirectJudgement {
            if address.hasSuffix("?denied") { return .refused(Rejection(.denied)) }
            guard address.hasSuffix("?ok"), let code = try? MemoryGate.secret("code") else { return .notOurs }
            return .code(code)
        }
        func exchange(_ code: any Secret, as client: ClientRegistration) async throws(IssuerError) -> TokenGrant {
            let whileExchanging = issuer.state.withLock { $0.whileExchanging }
            await whileExchanging()
            return MemoryIssuer.grant()
        }
        func poll() async -> DeviceAnswer { issuer.state.withLock { $0.answer } }
        func identity(in grant: TokenGrant) async throws(IssuerError) -> Identity? {
            Identity(subject: BankText(issuer.state.withLock { $0.subject }))
        }
    }

    /// A person who signs in on this issuer's page, if they said yes.
    static let leadThrough: SessionWing.Dependencies.SigningIn = { _, login, dialogue, answer in
        let back = "http://127.0.0.1:4000/callback"
        do {
            var dialogue = dialogue
            guard case .ask(let ask) = dialogue.next(),
                case .accept = dialogue.next(.answer(try await answer(ask)))
            else { throw SessionError.declined }
            guard case .page(let opened) = try await login.accept(back),
                case .redirect(nil) = try await login.take(back + "?other"),
                case .done = try await login.take(back + "?ok")
            else { throw SessionError.loginEnded }
            #expect(opened.text == page)
        } catch {
            await login.abandon()
            throw error
        }
    }

    /// Lets the person enter the code of a device flow.
    func enterCode() { state.withLock { $0.answer = .granted(Self.grant()) } }

    func discover(_ target: WebAddress, issuer: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        let whileDiscovering = state.withLock { $0.whileDiscovering }
        await whileDiscovering()
        return DiscoveredIssuer(try Self.metadata())
    }
    func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration {
        let whileRegistering = state.withLock { $0.whileRegistering }
        await whileRegistering()
        calls.add("register")
        var client = ClientRegistration(id: BankText("c"), redirectURI: redirectURI, isRegisteredHere: true)
        client.isForDevices = forDevices
        client.management = .init(address: issuer.issuer.address, token: SecretSlot(Self.grant().accessToken))
        return client
    }
    func unregister(_ client: ClientRegistration) async throws(IssuerError) { calls.add("unregister") }
    func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt {
        Attempt(issuer: self, page: issuer.authorizationEndpoint)
    }
    func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt { Attempt(issuer: self, page: issuer.authorizationEndpoint) }
    func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) {
        let whileRevoking = state.withLock { $0.whileRevoking }
        try await whileRevoking()
        calls.add("revoke " + token.withBytes { String(decoding: $0, as: UTF8.self) })
    }

    // No login asks for these here.

    var authorities: AuthorityBundle? { nil }
    func trusting(_ authorities: AuthorityBundle) -> any IssuerService { self }
    func describe(_ resource: WebAddress, at place: WebAddress?) async throws(IssuerError) -> ResourceDescription {
        try await NoIssuer().describe(resource, at: place)
    }
    func challenges(of resource: WebAddress) async -> Challenges? { await NoIssuer().challenges(of: resource) }
    func userInfo(_ accessToken: any Secret, at issuer: IssuerMetadata) async throws(IssuerError) -> UserProfile {
        try await NoIssuer().userInfo(accessToken, at: issuer)
    }
    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer {
        calls.add("refresh")
        let whileRenewing = state.withLock { $0.whileRenewing }
        await whileRenewing()
        if let answer = state.withLock({ $0.renewal }) { return answer }
        return await NoIssuer().refresh(refreshToken, request, as: client, at: issuer)
    }
    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement {
        try await NoIssuer().judge(renewal: grant, of: identity, as: client, at: issuer, extras)
    }
}
