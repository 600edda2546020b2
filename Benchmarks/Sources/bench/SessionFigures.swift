import Basics
import CYardstick
import FoundationEssentials
import Ledger
import OAuth
import SCACrypto
import SessionRecords
import Sessions
import Vault

/// What a renewal writes, at an issuer that answers at once.
struct SessionFigures {
    let database: StateDatabase
    let vault: any OpenVault

    /// A whole renewal beside two bare commits of SQLite, each on disk when it returns: the mark before the refresh token leaves, and what
    /// came for it.
    func renewal() async throws {
        let store = SealedSessions(database, sealer: try vault.sessionsKey())
        let issuer = try InstantIssuer()
        guard let address = Issuer("https://fern.example"), let scopes = Scopes("openid fern.read") else {
            throw Broken("no sample")
        }
        let session = try store.add(
            SignIn(
                id: SessionID("figures"), name: SessionName(suggestedBy: address),
                issuer: IssuerMetadata(
                    issuer: address, authorizationEndpoint: address.address, tokenEndpoint: address.address,
                    fetchedAt: Date()),
                client: ClientRegistration(id: BankText("client")), asked: scopes, granted: scopes, resources: [],
                identity: nil, at: Date()),
            with: TokenSet(issuer.grant, scopes: scopes, at: Moment(SystemClock.live)), noting: nil)
        let keeper = TokenKeeper(
            service: issuer, store: store, clock: SystemClock.live, signOutClock: .never, makeID: { "figures" })
        let path = database.directory.path + "/yardstick.sqlite"
        guard let yardstick = yardstick_table(path) else { throw Broken("no SQLite") }
        let many: Int32 = 20
        let comparison = try await Comparison.run(rounds: 15, in: .elapsed) {
            for _ in 0..<many {
                // Longer than any token lasts, so that each is renewed.
                _ = try await keeper.token(of: session, lasting: 7200)
            }
        } yardstick: {
            try done(yardstick_commits(yardstick, 2 * many))
        }
        Figure.times("20 renewals at an issuer that answers at once / 40 commits of SQLite", comparison, atMost: 1.2)
            .print()
    }
}

/// Answers each renewal at once, with tokens as long as issuers make them.
private struct InstantIssuer: IssuerService {
    let grant: TokenGrant

    init() throws {
        func secret(_ count: Int) throws -> LockedBytes {
            var bytes = [UInt8](repeating: UInt8(ascii: "t"), count: count)
            return try LockedBytes(wiping: &bytes)
        }
        grant = TokenGrant(
            accessToken: try secret(1000), type: .bearer, lifetime: 3600, refreshToken: try secret(1000))
    }

    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer { .granted(grant) }

    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> RenewalJudgement { .right }

    // Nothing else is asked.

    private static let noCall = IssuerError.unsupported(reason: "it only renews")

    func discover(_ target: WebAddress) async throws(IssuerError) -> DiscoveredIssuer { throw Self.noCall }

    func register(
        redirectURI: String, forDevices: Bool, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> ClientRegistration { throw Self.noCall }

    func unregister(_ client: ClientRegistration) async throws(IssuerError) { throw Self.noCall }

    func authorize(
        _ request: AuthorizationRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any AuthorizationAttempt { throw Self.noCall }

    func authorizeDevice(
        _ request: DeviceRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) -> any DeviceAttempt { throw Self.noCall }

    func describe(_ resource: WebAddress, at place: WebAddress?) async throws(IssuerError) -> ResourceDescription {
        throw Self.noCall
    }

    func userInfo(_ accessToken: any Secret, at issuer: IssuerMetadata) async throws(IssuerError) -> UserProfile {
        throw Self.noCall
    }

    func revoke(
        _ token: any Secret, _ kind: RevocableToken, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async throws(IssuerError) { throw Self.noCall }
}
