import Basics
import FoundationEssentials
import Keys
import Testing

@testable import SessionModel

struct ValueTests {
    @Test(arguments: [
        "https://login.example", "https://login.example/", "https://login.example/realms/a", "http://127.0.0.1:8080/o",
    ])
    func anIssuerKeepsItsText(_ text: String) throws { #expect(try #require(Issuer(text)).text == text) }

    @Test(arguments: [
        "http://login.example", "https://login.example?x=1", "https://login.example#x", "https://a@login.example",
        "login.example", "",
    ])
    func whatIsNoIssuer(_ text: String) { #expect(Issuer(text) == nil) }

    /// RFC 8414 section 3.3, but for what addresses mean anyway.
    @Test(arguments: [
        ("https://login.example", "https://login.example/", true),
        ("https://login.example", "HTTPS://Login.Example", true),
        ("https://login.example/o", "https://LOGIN.example:443/o", true),
        ("http://127.0.0.1:80/", "http://127.0.0.1", true),
        ("https://bücher.example", "https://xn--bcher-kva.example", true),
        ("https://login.example/o", "https://login.example/o/", false),
        ("https://login.example/o", "https://login.example/O", false),
        ("https://login.example/o", "https://login.example/%6f", false),
        ("https://login.example/o", "https://login.example//o", false),
        ("https://login.example", "https://login.example:8443", false),
        ("https://login.example", "https://login.example.", false), ("https://login.example", "login.example", false),
    ])
    func issuersAreComparedByOneRule(_ row: (one: String, other: String, areSame: Bool)) throws {
        let issuer = try #require(Issuer(row.one))
        #expect(issuer.isNamed(by: row.other) == row.areSame)
        guard let other = Issuer(row.other) else { return }
        #expect((issuer == other) == row.areSame && (Set([issuer, other]).count == 1) == row.areSame)
    }

    /// Both names of a path lead to the same documents.
    @Test func anAddressMayLackTheSlashOfAnIssuer() throws {
        let issuer = try #require(Issuer("https://login.example/o/"))
        #expect(issuer.isFound(at: try WebAddress("https://login.example/o")))
        #expect(!issuer.isFound(at: try WebAddress("https://login.example")))
    }

    @Test func equalSetsOfScopesAreEqual() throws {
        let scopes = try #require(Scopes("profile  openid profile"))
        #expect(scopes.text == "openid profile")
        #expect(scopes == Scopes(["openid", "profile"]))
        #expect(Scopes("openid")?.isSubset(of: scopes) == true)
        #expect(Scopes("openid mail")?.isSubset(of: scopes) == false)
        #expect(Scopes("")?.isEmpty == true)
    }

    @Test(arguments: ["a\"b", "a\\b", "ä", "a\u{7}"]) func whatIsNoScope(_ text: String) {
        #expect(Scopes(text) == nil)
    }

    @Test(arguments: [
        ("https://api.example/v1", true), ("urn:fern:api", true), ("https://api.example/#x", false), ("/v1", false),
        ("https:", false), (":x", false), ("https://api.example/a b", false),
    ]) func resources(_ text: String, isOne: Bool) { #expect((ResourceIndicator(text) != nil) == isOne) }

    /// Setting the wall clock neither prolongs nor ends a token's life within a boot.
    @Test func lifeGoesByTheBootClock() {
        let given = Moment(wall: Date(timeIntervalSince1970: 1000), boot: BootTime(bootID: "a", seconds: 50))
        func left(_ wall: Double, _ boot: String?, _ seconds: Int64) -> Int64 {
            Moment(
                wall: Date(timeIntervalSince1970: wall), boot: boot.map { BootTime(bootID: $0, seconds: seconds) }
            ).secondsLeft(of: 300, since: given)
        }
        #expect(left(1000, "a", 150) == 190)
        #expect(left(9_999_999, "a", 150) == 190)
        #expect(left(0, "a", 150) == 190)
        #expect(left(1000, "a", 340) == 0)
        // Another boot, or none that can be trusted: by the wall clock, and nothing when that stands before.
        #expect(left(1100, "b", 1) == 140)
        #expect(left(1100, nil, 0) == 140)
        #expect(left(999, "b", 1) == 0)
        #expect(left(1e300, "b", 1) == 0)
    }

    /// The end of a token's life is told as the same second whenever it is asked for, unless somebody set the clock.
    @Test func theEndOfALifeStaysWhereItIs() {
        let given = Moment(wall: Date(timeIntervalSince1970: 1000.75), boot: BootTime(bootID: "a", seconds: 50))
        func end(_ wall: Double, _ boot: String?, _ seconds: Int64) -> Double {
            Moment(
                wall: Date(timeIntervalSince1970: wall), boot: boot.map { BootTime(bootID: $0, seconds: seconds) }
            ).end(of: 300, since: given).timeIntervalSince1970
        }
        for (wall, seconds) in [(1000.75, 50), (1001.0, 51), (1101.8, 150), (1101.0, 151)] as [(Double, Int64)] {
            #expect(end(wall, "a", seconds) == 1290.75)
        }
        // The clock was set: counted from now.
        #expect(end(5000, "a", 150) == 5190)
        #expect(end(1100.5, "b", 1) == 1240.75)
        #expect(end(1100.5, nil, 0) == 1240.75)
        #expect(end(9999, "b", 1) == 9999)
    }

    @Test func aSecretNeverStandsInTheJSON() throws {
        let client = ClientRegistration(
            id: BankText("client"), authentication: .post, secret: SecretSlot(MemorySecret("hush-hush")))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(client) }
        let (encoder, shelf) = (JSONEncoder(), SecretShelf())
        encoder.userInfo[SecretShelf.key] = shelf
        let json = try encoder.encode(client)
        #expect(!String(decoding: json, as: UTF8.self).contains("hush"))

        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ClientRegistration.self, from: json) }
        let decoder = JSONDecoder()
        decoder.userInfo[SecretShelf.key] = SecretShelf(shelf.secrets)
        let read = try decoder.decode(ClientRegistration.self, from: json)
        #expect(read.secret?.secret.withBytes { String(decoding: $0, as: UTF8.self) } == "hush-hush")
        #expect("\(client)".contains("hush") == false)
    }
}
