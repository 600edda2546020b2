import Basics
import FoundationEssentials
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
