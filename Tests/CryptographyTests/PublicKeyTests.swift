import Cryptography
import Testing

struct PublicKeyVector: Decodable, Sendable, CustomTestStringConvertible {
    var name: String
    var pem: String
    var spki: String?
    var error: String?

    var testDescription: String { name }
}

struct PublicKeyTests {
    @Test(arguments: try fixture("public-keys", as: [PublicKeyVector].self))
    func readsEveryFormThatOccurs(_ vector: PublicKeyVector) throws {
        if let name = vector.error {
            #expect(caseName(failure(CryptoError.self) { try RSAPublicKey(pem: vector.pem) }) == name)
        } else {
            let key = try RSAPublicKey(pem: vector.pem)
            #expect(key.pem == vector.spki)
            #expect(key.bits == 2048)
        }
    }

    @Test(arguments: [("connection-2048.pem", 245), ("connection-4096.pem", 501)])
    func encryptsUpToElevenBytesLessThanTheModulus(_ name: String, _ most: Int) throws {
        let (key, recipient) = (try privateKey(name), try publicKey(name))
        for count in [0, 1, most] {
            let payload = try LockedBytes.random(count)
            let block = try payload.withBytes(recipient.encrypt)
            #expect(block.count == recipient.bits / 8)
            #expect(try payload.equals(key.decrypt(block)))
        }
        let tooLong = try LockedBytes.random(most + 1)
        #expect(throws: CryptoError.badLength("too long for one RSA block")) {
            try tooLong.withBytes(recipient.encrypt)
        }
    }

    @Test func verifiesWhatItsKeySigned() throws {
        let message = Array("get|https://bank.example/|1893456000|".utf8)
        let (key, other) = (try publicKey(), try publicKey("foreign-2048.pem"))
        var signature = try privateKey().sign(message)
        #expect(key.verify(signature, of: message))
        #expect(!other.verify(signature, of: message))
        #expect(!key.verify(signature, of: message + [0x20]))
        #expect(!key.verify(Array(signature.dropLast()), of: message))
        #expect(!key.verify([], of: message))
        signature[255] ^= 1
        #expect(!key.verify(signature, of: message))
    }
}
