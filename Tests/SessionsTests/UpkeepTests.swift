import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import Testing

@testable import Sessions

/// Names of sessions, and what UserInfo says of their people.
struct UpkeepTests {
    private let time = TokenKeeperTests.Time()
    private let store = MemorySessions()

    private func session(_ name: String, hasUserInfo: Bool = true, identity: Identity?) throws -> SignIn {
        let issuer = try #require(Issuer("https://fern.example"))
        var metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        if hasUserInfo { metadata.userInfoEndpoint = issuer.address }
        let session = SignIn(
            id: SessionID(name), name: try #require(SessionName(name)), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: .none, resources: [],
            identity: identity, at: Date())
        return try store.add(
            session, with: TokenSet(TokenKeeperTests.grant(1), scopes: .none, at: Moment(time.clock)))
    }

    private let mira = Identity(subject: BankText("mira"), name: BankText("Mira"), email: BankText("m@fern.example"))

    private func upkeep(_ issuer: ScriptedIssuer) -> SessionUpkeep {
        SessionUpkeep(
            service: issuer, store: store,
            keeper: TokenKeeper(
                service: issuer, store: store, clock: time.clock, signOutClock: .never, makeID: { "1" }),
            clock: time.clock)
    }

    @Test func aProfileIsKept() async throws {
        var issuer = ScriptedIssuer()
        issuer.onUserInfo = { token async throws(IssuerError) in
            #expect(token == "a1")
            return UserProfile(subject: BankText("mira"), email: BankText("new@fern.example"))
        }
        let session = try session("fern", identity: mira)
        _ = try await upkeep(issuer).refreshProfile(of: session)
        // What it leaves out stays.
        var known = mira
        known.email = BankText("new@fern.example")
        #expect(try store.sessions().first?.identity == known)
    }

    @Test(arguments: [
        ("other", "changed"), ("refused", "refused"), ("unreachable", "unreachable"), ("no endpoint", "refused"),
        ("nobody", "refused"),
    ])
    func aProfileThatIsNotKept(_ row: (fault: String, kind: String)) async throws {
        var issuer = ScriptedIssuer()
        issuer.onUserInfo = { _ async throws(IssuerError) in
            switch row.fault {
            case "other": return UserProfile(subject: BankText("ole"), email: BankText("ole@fern.example"))
            case "refused": throw IssuerError.refused(Rejection(.other, status: 403))
            default: throw IssuerError.unreachable(reason: "down")
            }
        }
        let session = try session(
            "fern", hasUserInfo: row.fault != "no endpoint", identity: row.fault == "nobody" ? nil : mira)
        let error = await #expect(throws: SessionError.self) {
            _ = try await upkeep(issuer).refreshProfile(of: session)
        }
        #expect(error?.failure.kind.rawValue == row.kind)
        #expect(try store.sessions().first?.identity == session.identity)
    }

    /// Of somebody who signed in meanwhile nothing is overwritten.
    @Test func aProfileThatComesTooLate() async throws {
        let session = try session("fern", identity: mira)
        var issuer = ScriptedIssuer()
        issuer.onUserInfo = { [store] _ async throws(IssuerError) in
            store.state.withLock { $0.sessions[session.id]?.identity = Identity(subject: BankText("ole")) }
            return UserProfile(subject: BankText("mira"), email: BankText("new@fern.example"))
        }
        _ = try await upkeep(issuer).refreshProfile(of: session)
        #expect(try store.sessions().first?.identity == Identity(subject: BankText("ole")))
    }

    private var sessions: LocalSessions {
        LocalSessions(
            store: store, service: ScriptedIssuer(), clock: time.clock, makeID: { "1" }, rejected: { _ in .newest })
    }

    private func grant(_ id: String, _ program: String, of session: SignIn) throws -> ProgramGrant {
        let grant = ProgramGrant(
            id: id, program: try #require(Program(program)), session: session.id, scopes: .none, resources: [],
            use: .open, at: time.clock.now())
        try store.add(grant, replacing: [])
        return grant
    }

    /// What programs and services have of a session is shown with it, and goes with it.
    @Test func whatIsBoundToASession() async throws {
        let (fern, oak) = (try session("fern", identity: mira), try session("oak", identity: mira))
        for (id, session) in [("g1", fern), ("g2", oak), ("g3", fern)] {
            _ = try grant(id, "unit:\(id).service", of: session)
            try store.add(
                Site(
                    id: SiteID("s-\(id)"), rule: try SiteRule(reading: "https://\(id).example"), session: session.id,
                    proof: .person, at: Date()))
        }
        let shown = try await sessions.details(of: "fern", ShowOptions(refresh: false))
        #expect(shown.grants == ["g1", "g3"] && shown.sites == ["s-g1", "s-g3"])
        let ended = try await sessions.end("fern", SignOutOptions(localOnly: true, browser: false)).signedOut
        #expect(ended.grants == ["g1", "g3"] && ended.sites == ["s-g1", "s-g3"])
        let told = try #require(SignedOutPayload([ended], kept: ["oak"]).signedOut.first)
        #expect(told.grants == ended.grants && told.sites == ended.sites)
        #expect(try sessions.grants().grants.map(\.id) == ["g2"])
    }

    @Test(arguments: [
        ("path:/proc/self/exe", "active"), ("path:/nowhere/fern", "gone"), ("script:/proc/self/exe/fern", "gone"),
        ("script:/proc/self/exe", "active"), ("unit:nowhere.service", "active"), ("app:/nowhere/fern", "active"),
    ])
    func aGrantOfAProgramWhoseFileIsGone(_ row: (program: String, status: String)) async throws {
        _ = try grant("g1", row.program, of: try session("fern", identity: mira))
        #expect(try sessions.grants().grants.map(\.status.rawValue) == [row.status])
    }

    /// A session, with its times in hours from now, and what doctor says of it.
    struct Concerning: Sendable {
        var told: String?
        var isSaved = true
        var signOut: Int?
        var renews = true
        var end: Int?
        var reason: SessionPayload.Reason?
    }

    private static let concerning = [
        Concerning(told: nil), Concerning(told: "unsaved", isSaved: false), Concerning(told: nil, signOut: 30),
        Concerning(told: "2", signOut: 2, end: 1), Concerning(told: "3", renews: false, end: 3),
        Concerning(told: "3", signOut: 5, renews: false, end: 3), Concerning(told: nil, renews: false, end: 30),
        Concerning(told: "ended", reason: .ended(.rejected)), Concerning(told: "ended", renews: false, reason: .ranOut),
        Concerning(told: "unsaved", isSaved: false, reason: .ended(.changed)),
    ]

    @Test(arguments: concerning) func concerns(_ row: Concerning) throws {
        let now = self.time.clock.now()
        func time(_ hours: Int?) -> Timestamp? { hours.map { Timestamp(now + TimeInterval($0 * 3600)) } }
        var shown = SessionPayload(try session("fern", identity: mira), nil, by: .never, at: Moment(self.time.clock))
        (shown.saved, shown.signOutAt, shown.refreshable) = (row.isSaved, time(row.signOut), row.renews)
        (shown.expiresAt, shown.reason) = (time(row.end), row.reason)
        shown.status = row.reason == nil ? "active" : "ended"
        let expected: SessionConcern? =
            switch row.told {
            case nil: nil
            case "unsaved"?: .unsaved
            case "ended"?: .ended
            case let hours?: .ends(try #require(time(Int(hours))))
            }
        #expect(shown.concern(before: now + 86400) == expected)
    }

    @Test func aNameIsGivenOnce() async throws {
        let fern = try session("fern", identity: mira)
        _ = try session("oak", identity: mira)
        let upkeep = upkeep(ScriptedIssuer())
        let error = await #expect(throws: SessionError.self) {
            _ = try await upkeep.rename(fern, to: try #require(SessionName("oak")))
        }
        #expect(error?.failure.kind == .usage)
        _ = try await upkeep.rename(fern, to: try #require(SessionName("elm")))
        // To the name that it has.
        _ = try await upkeep.rename(fern, to: try #require(SessionName("elm")))
        #expect(try store.sessions().map(\.name.text) == ["elm", "oak"])
    }
}
