import Basics
import FoundationEssentials
@testable import OAuth
import SessionModel
import Testing
import Web

/// Addresses of this program's own scheme: which are for it, which a client can have, and which answer a login.
struct OwnSchemeTests {
    @Test(arguments: [
        ("org.countersign:/callback?code=c&state=s", true), ("ORG.Countersign:/callback", true),
        ("org.countersign:", true), ("org.countersign", false), ("org.countersign/:", false),
        ("org.countersigned:/callback", false), ("org.countersign.evil:/callback", false),
        ("x-org.countersign:/callback", false), (" org.countersign:/callback", false),
        ("authenticator:/org.countersign:/callback", false), ("https://org.countersign/callback", false), ("", false),
    ])
    func whomAnAddressLeadsTo(_ row: (address: String, isOurs: Bool)) {
        #expect(OwnScheme.leads(row.address) == row.isOurs)
    }

    @Test(arguments: [
        ("org.countersign:/callback", true), ("org.countersign:/callback/0a1b2c3d", true), ("org.countersign:/", true),
        ("org.countersign://callback", true), ("org.countersign:callback", false), ("ORG.countersign:/callback", false),
        ("org.countersign:/callback?a=b", false), ("org.countersign:/callback#a", false),
        ("org.countersign:/call back", false), ("org.countersign:/c\u{1b}[2J", false), ("org.countersign:/ü", false),
        ("org.countersign.evil:/callback", false), ("http://127.0.0.1/callback", false), ("", false),
    ])
    func whatAClientCanBeRegisteredWith(_ row: (address: String, isGood: Bool)) {
        #expect(OwnScheme.isRedirectAddress(row.address) == row.isGood)
    }

    /// `STATE` stands for the right one. Row by row as for redirects to this computer (`TableTests`), by the same code.
    @Test(arguments: [
        ("org.countersign:/callback?code=c&state=STATE", true),
        ("org.countersign:/callback?state=STATE&code=c#x", true),
        ("org.countersign:/callback?code=c&state=STATEx", false), ("org.countersign:/callback?code=c", false),
        ("org.countersign:/callback?code=c&state=STATE&state=STATE", false), ("org.countersign:/callback", false),
        ("org.countersign:/callback/?code=c&state=STATE", false),
        ("org.countersign:/callbackx?code=c&state=STATE", false),
        ("org.countersign:/callback/0a1b2c3d?code=c&state=STATE", false),
        ("org.countersign:/?code=c&state=STATE", false), ("org.countersign:callback?code=c&state=STATE", false),
        ("org.countersign://callback?code=c&state=STATE", false),
        ("org.countersign:///callback?code=c&state=STATE", false),
        ("org.countersign:/Callback?code=c&state=STATE", false),
        ("Org.countersign:/callback?code=c&state=STATE", false), ("authenticator:/callback?code=c&state=STATE", false),
        ("http://127.0.0.1/callback?code=c&state=STATE", false),
    ])
    func whichAddressAnswersALogin(_ row: (address: String, isAnswer: Bool)) async throws {
        let issuer = IssuerMetadata(
            issuer: try #require(Issuer("https://login.fern.example")),
            authorizationEndpoint: try WebAddress("https://login.fern.example/authorize"),
            tokenEndpoint: try WebAddress("https://login.fern.example/token"), fetchedAt: Date())
        let transport = try Transport()
        let authorization = try await OAuthService(transport: transport, now: { Date() }).authorize(
            AuthorizationRequest(scopes: .none, redirectURI: OwnScheme.callback),
            as: ClientRegistration(id: BankText("fern")), at: issuer)
        await transport.shutdown()
        let attempt = try #require(authorization as? Attempt)
        #expect(attempt.page.text.contains("redirect_uri=org.countersign:%2Fcallback&"))
        let state = attempt.secrets.state.withBytes { String(decoding: $0, as: UTF8.self) }
        switch attempt.judge(row.address.replacing("STATE", with: state)) {
        case .code: #expect(row.isAnswer)
        case .notOurs: #expect(!row.isAnswer)
        case .refused, .contradiction: Issue.record("neither an answer nor a stranger")
        }
    }
}
