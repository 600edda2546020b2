import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// What a grant covers of a session, also after the session was signed in again for something else.
struct GrantTests {
    private func session(_ granted: String, _ resources: String) throws -> SignIn {
        let issuer = try #require(Issuer("https://id.fern.example"))
        return SignIn(
            id: SessionID("1"), name: try #require(SessionName("fern")),
            issuer: IssuerMetadata(
                issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date()),
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: try #require(Scopes(granted)),
            resources: Self.resources(resources), identity: nil, at: Date())
    }

    private static func resources(_ names: String) -> [ResourceIndicator] {
        names.split(separator: " ").compactMap { ResourceIndicator("https://\($0).example") }
    }

    private func grant(_ scopes: String, _ resources: String) throws -> ProgramGrant {
        ProgramGrant(
            id: "1", program: try #require(Program("unit:backup.service")), session: SessionID("1"),
            scopes: try #require(Scopes(scopes)), resources: Self.resources(resources), use: .open, at: Date())
    }

    /// Scopes and resources of the grant, of the session, and of what is wanted (nil: everything); then what is allowed of it: "-" for
    /// nothing, "all" for what the login gave.
    @Test(
        arguments: [
            ("a b", "", "a b", "", nil, "", "all"), ("a", "", "a b", "", nil, "", "a"),
            ("a", "", "a b", "", "a", "", "a"), ("a", "", "a b", "", "b", "", "-"),
            ("a b c", "", "a b", "", nil, "", "all"),
            // Nothing of what was granted is left, and nothing named at all: an issuer would give everything.
            ("a", "", "b c", "", nil, "", "-"), ("", "", "a", "", nil, "", "-"), ("a", "", "a b", "", "", "", "-"),
            // A session without scopes.
            ("", "", "", "", nil, "", "all"),
            ("a", "x", "a", "x", nil, "", "all"), ("a", "x", "a", "x y", nil, "", "all for x"),
            ("a", "x", "a", "x y", nil, "x", "all for x"), ("a", "x", "a", "x y", nil, "y", "-"),
            ("a", "x", "a", "y", nil, "", "-"), ("a", "", "a", "y", nil, "", "-"),
        ] as [(String, String, String, String, String?, String, String)])
    func covered(
        _ row: (
            scopes: String, resources: String, granted: String, held: String, wanted: String?, wantedResources: String,
            allowed: String
        )
    ) throws {
        let aim = TokenAim(
            scopes: try row.wanted.map { try #require(Scopes($0)) }, resources: Self.resources(row.wantedResources))
        let allowed = try grant(row.scopes, row.resources).covering(aim, of: try session(row.granted, row.held))
        let told = allowed.map { aim in
            (aim.scopes?.text ?? "all")
                + (aim.resources.isEmpty
                    ? "" : " for " + aim.resources.map { "\($0.text.dropFirst(8).prefix(1))" }.joined())
        }
        #expect(told ?? "-" == row.allowed)
    }

    /// Some issuers give all scopes, whatever they are asked for.
    @Test(arguments: [
        ("a", "a b", "a", true), ("a", "a b", "a b", false), ("a b", "a b", "a b c", true), ("a", "a b", "", true),
    ])
    func permitted(_ scopes: String, _ held: String, _ told: String, _ isPermitted: Bool) throws {
        let told = try #require(Scopes(told))
        #expect(try grant(scopes, "").permits(told, of: try session(held, "")) == isPermitted)
    }

    @Test(arguments: [#"{"scopes":[]}"#, #"{"scopes":[""]}"#, #"{"scopes":["a\"b"]}"#])
    func aTokenIsForSomeScope(_ members: String) {
        #expect(throws: Failure.self) { try JSONDecoder().decode(TokenRequest.self, from: Data(members.utf8)) }
    }

    /// One looks like the other.
    @Test func twoAccountsAreToldApartByBytes() {
        let (composed, parted) = (BankText("ad\u{E9}"), BankText("ade\u{301}"))
        #expect(composed.untrusted == parted.untrusted && composed != parted)
        #expect(Set([composed, parted, BankText("ad\u{E9}")]).count == 2)
    }
}
