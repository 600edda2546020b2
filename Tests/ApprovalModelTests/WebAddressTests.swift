import Basics
import FoundationEssentials
import Testing

@Suite struct WebAddressTests {
    @Test(arguments: [
        // Text, normal form.
        ("https://bank.example", "https://bank.example"),
        ("HTTPS://Bank.Example:443/Gw/", "https://bank.example/Gw/"),
        ("https://bank.example:/x", "https://bank.example/x"),
        ("https://bank.example:8443/a?b=c%20d#e", "https://bank.example:8443/a?b=c%20d#e"),
        ("https://bank.example?q", "https://bank.example?q"),
        ("https://bank.example/%2e%2E/a//b", "https://bank.example/%2e%2E/a//b"),
        ("https://bank.example/a b|é\"%zz%4", "https://bank.example/a%20b%7C%C3%A9%22%25zz%254"),
        ("https://198.51.100.4/x", "https://198.51.100.4/x"),
        ("https://localhost/x", "https://localhost/x"),
        ("http://localhost:80/x", "http://localhost/x"),
        ("http://LOCALHOST:8585", "http://localhost:8585"),
        ("http://127.0.0.1:443/", "http://127.0.0.1:443/"),
        ("http://127.255.0.9", "http://127.255.0.9"),
        ("http://[::1]:9/x", "http://[::1]:9/x"),
        ("https://a_b.bank.example", "https://a_b.bank.example"),
        ("https://bücher.example", "https://xn--bcher-kva.example"),
        ("https://BÜCHER.example", "https://xn--bcher-kva.example"),
        ("https://例え.example/p", "https://xn--r8jz45g.example/p"),
        ("https://пример.example", "https://xn--e1afmkfd.example"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
    ])
    func normalForm(_ text: String, _ expected: String) throws {
        let address = try WebAddress(text)
        #expect(address.text == expected)
        #expect(try WebAddress(address.text) == address)
    }

    @Test(arguments: [
        ("", AddressError.notAbsolute), ("bank.example/x", .notAbsolute), ("ftp://bank.example", .otherScheme),
        ("https:bank.example", .notAbsolute), ("https:/bank.example", .notAbsolute), ("//bank.example", .notAbsolute),
        ("https://bank.example/\u{0}", .controlCharacters), ("https://bank.example/a\nb", .controlCharacters),
        ("https://bank\u{7f}.example", .controlCharacters), (" https://bank.example", .otherScheme),
        ("http://bank.example", .insecure), ("http://198.51.100.4", .insecure), ("http://128.0.0.1", .insecure),
        ("http://localhost.example", .insecure),
        ("https://user@bank.example", .userInformation), ("https://bank.example:x@evil.example", .userInformation),
        ("https://", .badHost), ("https:///x", .badHost), ("https://.example", .badHost),
        ("https://bank..example", .badHost),
        ("https://bank.example.", .badHost), ("https://-bank.example", .badHost), ("https://bank-.example", .badHost),
        ("https://ba nk.example", .badHost), ("https://bank%2eexample", .badHost),
        ("https://bank.example\\x", .backslash),
        ("https://127.1", .badIPv4), ("https://0x7f.0.0.1", .badIPv4), ("https://0x7f.1", .badIPv4),
        ("https://2130706433", .badIPv4), ("https://127.0.0.01", .badIPv4), ("https://256.0.0.1", .badIPv4),
        ("https://1.2.3.4.5", .badIPv4), ("https://\(String(repeating: "a", count: 64)).example", .badHost),
        ("https://\(String(repeating: "abcdefg.", count: 32))example", .longHost),
        ("https://gw", .dotlessHost), ("https://gw:8443/x", .dotlessHost), ("http://gw", .dotlessHost),
        ("https://[2001:db8::1]/", .foreignIPv6), ("http://[::ffff:127.0.0.1]", .foreignIPv6),
        ("https://[0:0:0:0:0:0:0:1]", .foreignIPv6),
        ("https://ｂank.example", .foreignHost), ("https://e\u{301}a.example", .foreignHost),
        ("https://straße.example", .foreignHost), ("https://b\u{200d}ank.example", .foreignHost),
        ("https://b\u{ad}ank.example", .foreignHost), ("https://bank。example", .foreignHost),
        ("https://b\u{202e}ank.example", .foreignHost), ("https://bank€.example", .foreignHost),
        ("https://bank.example:0", .badPort), ("https://bank.example:65536", .badPort),
        ("https://bank.example:+80", .badPort), ("https://bank.example:8a", .badPort),
        ("https://bank.example:999999", .badPort), ("https://bank.example:٣", .badPort),
        ("https://bank.example/" + String(repeating: "a", count: 8192), .tooLong),
        // Only in normal form.
        ("https://bank.example/" + String(repeating: " ", count: 2730), .tooLong),
    ])
    func refusals(_ text: String, _ error: AddressError) {
        #expect(throws: error) { try WebAddress(text) }
    }

    /// Escapes make an address longer, and stores read again what they wrote.
    @Test(arguments: [" ", "é", "例", "𝄞", "%", "%4", "%20", "\"", "a", "?", "#", "/", ":"])
    func whatIsAcceptedIsReadAgain(_ unit: String) throws {
        var outcomes: Set<Bool> = []
        for start in ["https://bücher.example/", "https://bank.example?", "https://bank.example#", "http://[::1]:9/a/"]
        {
            for length in [0, 1, 900, 2720, 2740, 4090, 8160, 8180, 8190, 8200] {
                let text = start + String(repeating: unit, count: length / unit.utf8.count)
                guard let address = try? WebAddress(text) else {
                    outcomes.insert(false)
                    continue
                }
                outcomes.insert(true)
                #expect(address.text.utf8.count <= 8192)
                #expect(try WebAddress(address.text) == address)
                let json = try JSONEncoder().encode([address])
                #expect(try JSONDecoder().decode([WebAddress].self, from: json) == [address])
                #expect(try PageAddress(text).text == address.text)
            }
        }
        #expect(outcomes == [true, false])
    }

    /// RFC 3492 section 7.1 (those samples that are in lower case and not to be mapped).
    @Test(arguments: [
        ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
        ("почемужеонинеговорятпорусски", "xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
        ("なぜみんな日本語を話してくれないのか", "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"),
        ("세계의모든사람들이한국어를이해한다면얼마나좋을까", "xn--989aomsvi5e83db1d2a355cv1e0vak1dwrv93d5xbh15a0dt30a5jpsd879ccm6fea98c"),
        ("porquénopuedensimplementehablarenespañol", "xn--porqunopuedensimplementehablarenespaol-fmd56a"),
        ("3年b組金八先生", "xn--3b-ww4c5e180e575a65lsy2b"),
    ])
    func punycode(_ label: String, _ expected: String) {
        let address = try? WebAddress("https://\(label).example")
        // A label of more than 63 octets is refused, as the domain name system would.
        #expect(address?.host == (expected.utf8.count <= 63 ? expected + ".example" : nil))
    }

    @Test(arguments: [
        ("https://h.example:8443/gw/", "https://h.example:8443/gw/api/authenticator/v1/consents"),
        ("https://h.example:443", "https://h.example/api/authenticator/v1/consents"),
        ("https://h.example///", "https://h.example/api/authenticator/v1/consents"),
        ("https://h.example/a/?x=y#z", "https://h.example/a/api/authenticator/v1/consents"),
    ])
    func callsAreAppendedToTheBase(_ base: String, _ expected: String) throws {
        #expect(try WebAddress(base).appending(path: "/api/authenticator/v1/consents").text == expected)
    }

    @Test(arguments: [
        ("https://b.example", "https://B.example:443/", true),
        ("https://b.example/gw", "https://b.example/gw//?x#y", true),
        ("https://b.example/gw", "https://b.example/GW", false), ("https://b.example", "https://b.example:444", false),
        ("https://b.example", "https://c.example", false),
    ])
    func sameBank(_ one: String, _ other: String, _ same: Bool) throws {
        #expect(try (WebAddress(one).base == WebAddress(other).base) == same)
    }

    @Test func partsForPeopleAndCalls() throws {
        let address = try WebAddress("https://Bank.Example:8443/a/?q#f")
        #expect(address.origin == "https://bank.example:8443")
        #expect(address.hostForPeople == "bank.example:8443")
        #expect(address.path == "/a/" && address.query == "q" && address.fragment == "f")
        #expect(try WebAddress("https://bank.example/").hostForPeople == "bank.example")
        #expect(try WebAddress("https://127.9.9.9").isLoopback)
        #expect(try !WebAddress("https://bank.example").isLoopback)
    }

    @Test func codedAsOneText() throws {
        let address = try WebAddress("https://bank.example:8443/gw?x")
        let json = try JSONEncoder().encode([address])
        #expect(try JSONDecoder().decode([String].self, from: json) == ["https://bank.example:8443/gw?x"])
        #expect(try JSONDecoder().decode([WebAddress].self, from: json) == [address])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WebAddress].self, from: Data(#"["http://bank.example"]"#.utf8))
        }
    }
}
