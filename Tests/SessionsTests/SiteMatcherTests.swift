import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Which site is for a request: every rule of oauth section 4.2.
struct SiteMatcherTests {
    private func site(_ rule: String, onChallenge: Bool = false, realm: String? = nil) throws -> Site {
        Site(
            id: SiteID(rule), rule: try SiteRule(reading: rule), session: SessionID("1"), isOnChallenge: onChallenge,
            realm: realm, proof: .person, at: Date(timeIntervalSince1970: 0))
    }

    private func winner(_ rules: [String], _ address: String, _ given: SiteMatcher.Given = .none) throws -> String? {
        let matcher = SiteMatcher(try rules.map { try site($0) })
        return matcher.site(for: try WebAddress(address), given)?.rule.text
    }

    @Test(
        arguments: [
            ("https://API.Fern.example:443/v1/", "https://api.fern.example/v1"),
            ("https://api.example", "https://api.example"),
            ("https://bücher.example/x", "https://xn--bcher-kva.example/x"),
            ("http://127.0.0.1:8080/a", "http://127.0.0.1:8080/a"),
            ("Api.example", "api.example"), (".example.org", ".example.org"), ("api.example:8443", "api.example:8443"),
            ("bücher.example", "xn--bcher-kva.example"), ("localhost:99", "localhost:99"),
            ("http://api.example", nil), ("https://ada@api.example", nil), ("https://api.example/?x", nil),
            ("https://api.example/#x", nil), ("https://api.example/a/../b", nil), ("https://api.example/a/./b", nil),
            ("https://api.example/%2e", nil), ("https://api.example/a%2Fb", nil), (#"https://api.example/a\b"#, nil),
            ("api.example/v1", nil), (".org", nil), (".127.0.0.1", nil), (".localhost", nil),
            ("ftp://api.example", nil), ("", nil),
            ("..example.org", nil), ("api.example?x", nil),
        ] as [(String, String?)])
    func rules(_ row: (text: String, rule: String?)) {
        #expect((try? SiteRule(reading: row.text))?.text == row.rule)
    }

    /// A rule that is taken is read again from where it is stored, at every length.
    @Test(arguments: [2700, 2725, 2735, 8150, 8172, 9000]) func aRuleThatIsTakenIsReadAgain(_ length: Int) throws {
        for unit in [" ", "é", "x"] {
            let text = "https://api.example/" + String(repeating: unit, count: length / unit.utf8.count) + "/"
            guard let rule = try? SiteRule(reading: text) else { continue }
            #expect(rule.text.utf8.count <= 8192)
            let json = try JSONEncoder().encode([rule])
            #expect(try JSONDecoder().decode([SiteRule].self, from: json) == [rule])
        }
    }

    @Test(
        arguments: [
            // The prefix itself, and what lies under it by whole segments; query and fragment mean nothing.
            ("https://api.example/v1", true), ("https://api.example/v1/", true),
            ("https://api.example/v1/x?y=1#z", true),
            ("https://api.example/v1?x", true), ("https://api.example/v10", false), ("https://api.example/", false),
            ("https://api.example/V1", false), ("https://api.example/x/v1", false),
            // Scheme and host without case, port exact.
            ("HTTPS://API.example:443/v1", true), ("https://api.example:8443/v1", false),
            ("https://other.example/v1", false),
            ("https://api.example.org/v1", false), ("https://xapi.example/v1", false),
            // Dot segments are removed, and what a server may read in another way matches nothing.
            ("https://api.example/x/../v1/y", true), ("https://api.example/v1/./y", true),
            ("https://api.example/v1/..", false),
            ("https://api.example/v1/../x", false), ("https://api.example/../v1", false),
            ("https://api.example/v1/%2e%2E/x", false),
            ("https://api.example/v1/%2e", false), ("https://api.example/v1/a%2fb", false),
            ("https://api.example/v1/a%00", false), ("https://api.example/v1/%0A", false),
            ("https://api.example/v1/%0d%0aX", false), ("https://api.example/v1/a%1Fb", false),
            ("https://api.example/v1/%7F", false), ("https://api.example/v1/%C2%85", false),
            ("https://api.example/v1/%c0%80", false), ("https://api.example/v1/%20%c3%a4", true),
            ("https://api.example/v1/a%5Cb", false),
            (#"https://api.example/v1/a\b"#, false), ("https://api.example/v1/..;/x", false),
            ("https://api.example/v1/.;a/x", false),
            ("https://api.example/v1//x", true), ("https://api.example//v1", false),
            ("https://api.example/v1//../x", false),
            ("https://api.example/v1/a;b/x%20y", true), ("https://api.example/v1/...", true),
        ])
    func aPrefix(_ row: (address: String, isMatch: Bool)) throws {
        #expect(try winner(["https://api.example/v1"], row.address) == (row.isMatch ? "https://api.example/v1" : nil))
    }

    @Test func loopbackMayBePlain() throws {
        #expect(try winner(["http://127.0.0.1:80/x"], "http://127.0.0.1/x/y") == "http://127.0.0.1/x")
        #expect(try winner(["http://127.0.0.1/x"], "http://localhost/x") == nil)
        #expect(try winner(["https://localhost/x"], "http://localhost/x") == nil)
    }

    @Test func aForeignHostIsItsPunycode() throws {
        #expect(try winner(["https://bücher.example"], "https://xn--bcher-kva.example/x") != nil)
        #expect(try winner(["https://bucher.example"], "https://bücher.example/x") == nil)
    }

    @Test func theLongestPrefixWins() throws {
        let rules = ["https://api.example", "https://api.example/v1/in", "https://api.example/v1", "api.example"]
        #expect(try winner(rules, "https://api.example/v1/in/x", .unread) == "https://api.example/v1/in")
        #expect(try winner(rules, "https://api.example/v1/inner") == "https://api.example/v1")
        #expect(try winner(rules, "https://api.example/x", .unread) == "https://api.example")
    }

    @Test(
        arguments: [
            ("https://api.fern.example/x", "api.fern.example"), ("https://api.fern.example:8443/x", nil),
            ("https://a.api.fern.example/x", ".fern.example"), ("https://b.fern.example", ".fern.example"),
            ("https://fern.example/x", nil), ("https://evilfern.example", nil), ("https://api.fern.example/%2e", nil),
        ] as [(String, String?)])
    func aHostOnlyWithAChallenge(_ row: (address: String, rule: String?)) throws {
        let rules = [".fern.example", "api.fern.example"]
        #expect(try winner(rules, row.address, .unread) == row.rule)
        #expect(try winner(rules, row.address, .read(Challenges(["Bearer"]))) == row.rule)
        #expect(try winner(rules, row.address) == nil)
    }

    @Test(
        arguments: [
            ([#"Bearer realm="Fern""#], true), (["bearer realm=Fern"], true), (["Bearer realm=fern"], false),
            (["Bearer"], false),
            (["Basic realm=Fern"], false), (["Basic realm=Fern", "Bearer realm=Oak"], false),
            (["Basic, Bearer realm=Fern"], true),
            ([], false),
        ] as [([String], Bool)])
    func aRealm(_ row: (fields: [String], isMatch: Bool)) throws {
        let matcher = SiteMatcher([try site("https://api.example", onChallenge: true, realm: "Fern")])
        let address = try WebAddress("https://api.example/x")
        #expect((matcher.site(for: address, .read(Challenges(row.fields))) != nil) == row.isMatch)
        #expect(matcher.site(for: address, .none) == nil && matcher.site(for: address, .unread) == nil)
    }

    /// A token is sent as a password only by who can.
    @Test func basicIsForPasswords() throws {
        let matcher = SiteMatcher([try site("https://api.example", onChallenge: true)])
        let address = try WebAddress("https://api.example/x")
        let basic = SiteMatcher.Given.read(Challenges(["Basic realm=x"]))
        #expect(matcher.site(for: address, basic) == nil)
        #expect(matcher.site(for: address, basic, takesPassword: true) != nil)
        #expect(matcher.site(for: address, .read(Challenges(["DPoP algs=ES256"])), takesPassword: true) == nil)
    }

    @Test func everyMisfitIsNamed() throws {
        let sites = [
            try site("https://api.example/v1"), try site("https://api.example"), try site("https://other.example"),
            try site("https://api.example/v2"), try site("https://api.example/v1/x", onChallenge: true),
            try site("api.example"),
        ]
        let address = try WebAddress("https://api.example/v1/x")
        let judged = SiteMatcher(sites).judge(address, .none)
        #expect(judged.first?.site.rule.text == "https://api.example/v1")
        #expect(
            judged.map(\.misfit) == [
                nil, .outranked(by: SiteID("https://api.example/v1")), .otherHost, .outsidePath, .needsChallenge,
                .needsChallenge,
            ])
        let unclear = SiteMatcher(sites).judge(try WebAddress("https://api.example/%2e"), .none)
        #expect(unclear.allSatisfy { $0.misfit == .unclearPath })
        let basic = SiteMatcher(sites).judge(address, .read(Challenges(["Basic", "Digest x=y"])))
        #expect(basic[0].misfit == .otherScheme(["basic", "digest"]))
    }
}
