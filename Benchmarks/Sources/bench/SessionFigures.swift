import Basics
import CYardstick
import FoundationEssentials
import Ledger
import OAuth
import Cryptography
import Keys
import Records
import SessionModel
import Sessions
import Synchronization
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
        let minutes = Atomic(0)
        let keeper = TokenKeeper(
            service: issuer, store: store, clock: Self.clock { minutes.load(ordering: .relaxed) }, signOutClock: .never,
            makeID: { "figures" })
        let path = database.directory.path + "/yardstick.sqlite"
        guard let yardstick = yardstick_table(path) else { throw Broken("no SQLite") }
        let many: Int32 = 20
        let disks = [(0, ""), (1000, ", on a disk that is slower by 1 ms")]
        for (number, (microseconds, disk)) in disks.enumerated() {
            yardstick_disk(microseconds)
            let comparison = try await Comparison.run(rounds: 15, in: .elapsed) {
                for _ in 0..<many {
                    // The token before it has expired.
                    minutes.add(1, ordering: .relaxed)
                    _ = try await keeper.token(of: session, lasting: 10)
                }
            } yardstick: {
                try done(yardstick_commits(yardstick, 2 * many))
            }
            guard issuer.renewals.load(ordering: .relaxed) == (number + 1) * 16 * Int(many) else {
                throw Broken("not each was renewed")
            }
            let name = "a renewal at an issuer that answers at once / two commits of SQLite"
            Figure.cost(name + disk, comparison, per: Int(many)).print()
        }
        yardstick_disk(0)
    }

    /// The system's clock, so many minutes later.
    private static func clock(_ minutes: @escaping @Sendable () -> Int) -> Clock {
        Clock(
            now: { SystemClock.live.now().addingTimeInterval(Double(minutes() * 60)) },
            boot: {
                SystemClock.live.boot().map { BootTime(bootID: $0.bootID, seconds: $0.seconds + Int64(minutes() * 60)) }
            })
    }
}

/// Answers each renewal at once, with tokens as long as issuers make them.
private final class InstantIssuer: IssuerService {
    let grant: TokenGrant
    let renewals = Atomic(0)

    init() throws {
        func secret(_ count: Int) throws -> LockedBytes {
            var bytes = [UInt8](repeating: UInt8(ascii: "t"), count: count)
            return try LockedBytes(wiping: &bytes)
        }
        grant = TokenGrant(
            accessToken: try secret(1000), type: .bearer, lifetime: 60, refreshToken: try secret(1000))
    }

    func refresh(
        _ refreshToken: any Secret, _ request: RefreshRequest, as client: ClientRegistration, at issuer: IssuerMetadata
    ) async -> TokenAnswer {
        renewals.add(1, ordering: .relaxed)
        return .granted(grant)
    }

    func judge(
        renewal grant: TokenGrant, of identity: Identity, as client: ClientRegistration, at issuer: IssuerMetadata,
        _ extras: IssuerExtras
    ) async throws(IssuerError) -> RenewalJudgement { .right }

    // Nothing else is asked.

    private static let noCall = IssuerError.unsupported(reason: "it only renews")

    func discover(_ target: WebAddress, issuer: Issuer?) async throws(IssuerError) -> DiscoveredIssuer {
        throw Self.noCall
    }

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

    var authorities: AuthorityBundle? { nil }

    func trusting(_ authorities: AuthorityBundle) -> any IssuerService { self }

    func challenges(of resource: WebAddress) async -> Challenges? { nil }

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
