import Basics
import FoundationEssentials
@testable import PrivacyIDEA
import ApprovalModel
import Cryptography
import Testing

/// What is signed and how it is written, against vectors that others made.
struct WireTests {
    struct Page: Decodable {
        struct Signature: Decodable, Sendable, CustomTestStringConvertible {
            var name: String
            var text: String
            var signature_base32: String
            var testDescription: String { name }
        }
        var private_key_pkcs8_base64: String
        var public_key_spki_base64: String
        var public_key_pkcs1_base64: String
        var signatures: [Signature]

        func key() throws -> RSAPrivateKey {
            try RSAPrivateKey(
                pem: "-----BEGIN PRIVATE KEY-----\n\(private_key_pkcs8_base64)\n-----END PRIVATE KEY-----\n")
        }
    }

    static let page: Page = Fixture.json("protocol-page")

    @Test(arguments: page.signatures)
    func signaturesOfTheProtocolPage(_ vector: Page.Signature) throws {
        let key = try Self.page.key()
        let signature = Base32.encode(try key.sign(Array(vector.text.utf8)))
        #expect(signature == vector.signature_base32)
        let publicKey = try RSAPublicKey(pem: key.publicKeyPEM)
        let bytes = try #require(Base32.decode(vector.signature_base32))
        #expect(publicKey.verify(bytes, of: Array(vector.text.utf8)))
        #expect(!publicKey.verify(bytes, of: Array((vector.text + " ").utf8)))
        #expect(Base32.decode(vector.signature_base32.lowercased()) == nil)
    }

    @Test func theKeyOfTheProtocolPageInItsTwoForms() throws {
        let own = try Self.page.key().publicKeyPEM
        let spki = own.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        #expect(spki == Self.page.public_key_spki_base64)
        #expect(try ServerKey.read(Self.page.public_key_pkcs1_base64, own: "") == own)
        #expect(throws: ServerKey.Fault.ours) { try ServerKey.read(Self.page.public_key_pkcs1_base64, own: own) }
    }

    struct KeyVector: Decodable, Sendable, CustomTestStringConvertible {
        var name: String
        var key: String
        var fault: String?
        var testDescription: String { name }
    }

    @Test(arguments: Fixture.json("server-keys", as: [KeyVector].self))
    func serversKeys(_ vector: KeyVector) throws {
        let own = try Fixture.key("connection-2048.pem").publicKeyPEM
        var fault: String?
        do throws(ServerKey.Fault) {
            _ = try ServerKey.read(vector.key, own: own)
        } catch {
            fault = "\(error)"
        }
        #expect(fault == vector.fault)
    }

    // MARK: Challenges

    struct Challenge: Sendable, CustomTestStringConvertible {
        let json: JSON
        var testDescription: String { json["name"]?.text ?? "without a name" }
    }

    static let file = Fixture.json("challenges")
    static let vectors = file["challenges"]?.array?.map(Challenge.init) ?? []

    static func read(_ item: JSON) throws(PushChallenge.Fault) -> PushChallenge {
        guard let key = try? Fixture.publicKey("connection-2048.pem"),
            let endpoint = try? WebAddress("https://mfa.example.test/ttype/push"), let serial = file["serial"]?.text
        else { throw .notWhole }
        return try PushChallenge(item, serial: serial, endpoint: endpoint, serverKey: key)
    }

    @Test(arguments: vectors)
    func challenges(_ vector: Challenge) throws {
        let (vector, item) = (vector.json, try #require(vector.json["item"]))
        do throws(PushChallenge.Fault) {
            let challenge = try Self.read(item)
            #expect(vector["fault"] == nil)
            #expect(challenge.options == vector["options"]?.texts)
            #expect(challenge.takesReasons == vector["takesReasons"]?.isTrue)
            let again = PushChallenge.Signed(source: challenge.signed.source)
            #expect(again == challenge.signed && again?.text == challenge.signed.text)
        } catch {
            #expect("\(error)" == vector["fault"]?.text)
        }
    }

    /// Each of them is in the file.
    @Test func challengesAreRead() { #expect(Self.vectors.count > 20) }

    /// One signed string, two ways to cut it: what is shown differs, and so does what is kept of it.
    @Test func aBarThatMovedChangesWhatTheFingerprintIsMadeOf() throws {
        func signed(_ question: String, _ title: String) -> PushChallenge.Signed {
            PushChallenge.Signed(
                nonce: "N", url: "https://a.example/", serial: "S", question: question, title: title, sslverify: "1",
                requirePresence: nil)
        }
        #expect(signed("a|b", "c").text == signed("a", "b|c").text)
        #expect(signed("a|b", "c").source != signed("a", "b|c").source)
    }

    // MARK: Writing

    @Test(arguments: [
        ("", ""), ("f", "MY======"), ("fo", "MZXQ===="), ("foo", "MZXW6==="), ("foob", "MZXW6YQ="),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI======"),
    ])
    func base32OfTheRFC(_ text: String, _ encoded: String) {
        #expect(Base32.encode(Array(text.utf8)) == encoded)
        #expect(Base32.decode(encoded) == Array(text.utf8))
        #expect(Base32.decode(encoded.replacing("=", with: "")) == Array(text.utf8))
    }

    @Test(arguments: ["M", "MZ=", "my======", "MY=====", "M1======", "MZ======", "MY== ====", "=MY=====", "MY======\n"])
    func whatIsNoBase32(_ text: String) { #expect(Base32.decode(text) == nil) }

    @Test(
        arguments: [
            (#"{"b":1,"a":[true,null,"x"]}"#, #"{"a":[true,null,"x"],"b":1}"#), (#"{"é":1,"z":2}"#, #"{"z":2,"é":1}"#),
            (#""\u0000\u001f\b\f\n\r\t\"\\\/€""#, #""\u0000\u001f\b\f\n\r\t\"\\/€""#),
            (#"{"\ud83d\ude00":1,"\uffee":2}"#, "{\"😀\":1,\"\u{FFEE}\":2}"), ("-5", "-5"), ("1.5", nil),
            (#"{"a":1,"a":2}"#, nil), ("1.0", "1"), ("1e2", "100"), ("-0", "0"), ("9007199254740993", nil),
            ("-9223372036854775808", nil), ("[1e400]", nil),
        ] as [(String, String?)])
    func canonicalJSON(_ text: String, _ canonical: String?) throws {
        #expect(JSON(Array(text.utf8))?.canonical == canonical)
    }

    @Test(arguments: [
        (1_928_030_706.0, "2031-02-05T04:05:06.000000Z"), (1_928_030_706.25, "2031-02-05T04:05:06.250000Z"),
        (0.000001, "1970-01-01T00:00:00.000001Z"),
    ])
    func timestamps(_ seconds: Double, _ text: String) {
        let written = PushService.timestamp(Date(timeIntervalSince1970: seconds))
        #expect(written.dropLast(8) == text.dropLast(8) && written.utf8.count == 27)
        #expect(Timestamp.parse(written).map { abs($0.timeIntervalSince1970 - seconds) < 0.001 } == true)
    }

    /// The fifth time in a row, and then after a day.
    @Test func aTokenThatIsNotAcceptedIsAskedSeldom() {
        let (memory, guid) = (PushMemory(), ConnectionGUID("g"))
        let start = Date(timeIntervalSince1970: 1_893_456_000)
        let pauses = (0..<6).map { memory.refused(guid, at: start.addingTimeInterval(Double($0))) }
        #expect(pauses == [nil, nil, nil, nil, 600, 600])
        #expect(memory.refused(guid, at: start.addingTimeInterval(86_500)) == 3600)
        memory.accepted(guid)
        #expect(memory.refused(guid, at: start.addingTimeInterval(86_600)) == nil)
    }
}
