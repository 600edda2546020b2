import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// Which session a name or an address means.
struct SessionLookupTests {
    private func session(_ name: String, _ issuer: String, _ resources: [String] = []) throws -> SignIn {
        let issuer = try #require(Issuer(issuer))
        let metadata = IssuerMetadata(
            issuer: issuer, authorizationEndpoint: issuer.address, tokenEndpoint: issuer.address, fetchedAt: Date())
        return SignIn(
            id: SessionID(name), name: try #require(SessionName(name)), issuer: metadata,
            client: ClientRegistration(id: BankText("c")), asked: .none, granted: .none,
            resources: resources.compactMap { ResourceIndicator($0) }, identity: nil, at: Date())
    }

    @Test(arguments: [
        ("https://id.fern.example", "fern"), ("https://fern.example/o", "fern"), ("https://login.fern.co.uk", "fern"),
        ("http://127.0.0.1:8080", "issuer"), ("http://localhost", "localhost"),
        ("https://xn--bcher-kva.example", "xn--bcher-kva"),
    ])
    func namesAreMadeFromHosts(_ issuer: String, _ name: String) throws {
        #expect(SessionName(suggestedBy: try #require(Issuer(issuer))).text == name)
    }

    @Test func aNameThatIsTakenGetsANumber() throws {
        let name = try #require(SessionName("fern"))
        let second = try #require(SessionName("fern-2"))
        #expect(name.free(among: [name, second]).text == "fern-3")
        let long = try #require(SessionName(String(repeating: "a", count: 32)))
        #expect(long.free(among: [long]).text == String(repeating: "a", count: 30) + "-2")
    }

    @Test func byNameAndIssuer() throws {
        let all = SessionLookup([
            try session("fern", "https://fern.example/"), try session("oak", "https://oak.example"),
            try session("oak-2", "https://oak.example"),
        ])
        #expect(try all.session("fern").name.text == "fern")
        #expect(try all.session("https://fern.example").name.text == "fern")
        for ambiguous in [nil, "https://oak.example"] {
            #expect(throws: SessionError.self) { try all.session(ambiguous) }
        }
        #expect(throws: SessionError.self) { try all.session("fen") }
    }

    /// A session that ended does not stand in the way of the one that was made in its place.
    @Test func endedSessionsDoNotMakeAnAddressAmbiguous() throws {
        let all = SessionLookup([
            try session("old", "https://fern.example", ["https://api.example"]),
            try session("new", "https://fern.example", ["https://api.example"]),
        ])
        let address = try WebAddress("https://api.example/v1")
        #expect(try all.session(for: address, hasEnded: { $0.name.text == "old" }).0.name.text == "new")
        #expect(throws: SessionError.self) { try all.session(for: address) }
        #expect(throws: SessionError.self) { try all.session(for: address, hasEnded: { _ in true }) }
    }

    /// Same origin, whole segments, the longest wins; nothing that a server may read in another way.
    @Test(arguments: [
        ("https://api.example/v1", "one"), ("https://api.example/v1/x?y=1", "one"),
        ("https://api.example/v1/in/x", "inner"),
        ("https://API.example:443/v1", "one"), ("https://api.example/v10", nil), ("https://api.example/", nil),
        ("https://other.example/v1", nil), ("https://api.example:8443/v1", nil), ("https://api.example/v1/../x", nil),
        ("https://api.example/v1/%2E%2e/x", nil), ("https://api.example/v1%2fx", nil),
        ("https://api.example/v1\\x", nil),
        ("https://whole.example/anything", "whole"),
    ])
    func byAddress(_ address: String, _ name: String?) throws {
        let all = SessionLookup([
            try session("one", "https://fern.example", ["https://api.example/v1"]),
            try session("inner", "https://fern.example", ["https://api.example/v1/in/"]),
            try session("whole", "https://fern.example", ["https://whole.example"]),
        ])
        let address = try WebAddress(address)
        #expect((try? all.session(for: address))?.0.name.text == name)
    }
}
