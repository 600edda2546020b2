import Basics
import Cryptography
import Testing

struct DigestTests {
    struct Answers: Decodable {
        struct Printed: Decodable {
            var connection: String
            var id: String
            var plaintext: String
            var hex: String
        }
        var fingerprint: Printed
    }

    /// FIPS 180-4's examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func sha256(_ text: String, _ digest: String) throws {
        #expect(try Digest.sha256(Array(text.utf8)) == bytes(hex: digest))
    }

    /// RFC 4231, test cases 1, 2 and 6.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0b, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func hmac(_ key: [UInt8], _ message: String, _ mac: String) throws {
        #expect(try Digest.hmacSHA256(Array(message.utf8), key: secret(key)) == bytes(hex: mac))
    }

    @Test func fingerprint() throws {
        let known = try fixture("known-answers", as: Answers.self).fingerprint
        func made(_ connection: String, _ id: String, _ plaintext: String) throws -> Fingerprint {
            try secret(plaintext).withBytes {
                try Fingerprint(connection: connection, id: id, plaintext: $0)
            }
        }
        let print = try made(known.connection, known.id, known.plaintext)
        #expect(print.hex == known.hex)
        // The same bytes, divided in another way.
        #expect(try made(known.connection + "7", "7", known.plaintext) != print)
        #expect(try made(known.connection, "7", "7" + known.plaintext) != print)
        #expect(try made(known.connection, known.id, known.plaintext + " ") != print)
    }

    @Test func uuidsAreRandomAndOfVersion4() throws {
        let (one, other) = (try RandomBytes.uuid(), try RandomBytes.uuid())
        #expect(one != other)
        let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        #expect(one.wholeMatch(of: form) != nil)
        #expect(try RandomBytes.make(0).isEmpty)
        #expect(try RandomBytes.make(32) != RandomBytes.make(32))
    }
}
