import Cryptography
import Testing

struct PrivateKeyTests {
    @Test func generatesKeysThatSurviveStoring() throws {
        let key = try RSAPrivateKey.generate()
        let publicKey = try RSAPublicKey(pem: key.publicKeyPEM)
        #expect(publicKey.bits == 2048)
        #expect(publicKey.pem == key.publicKeyPEM)
        let again = try RSAPrivateKey(pkcs8: key.pkcs8())
        #expect(again.publicKeyPEM == key.publicKeyPEM)
        #expect(publicKey.verify(try again.sign([1, 2, 3]), of: [1, 2, 3]))
        #expect(try again.pkcs8().equals(key.pkcs8()))
    }

    @Test func writesPublicKeysInLinesOf64() throws {
        let lines = try privateKey().publicKeyPEM.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.first == "-----BEGIN PUBLIC KEY-----")
        #expect(lines.suffix(2) == ["-----END PUBLIC KEY-----", ""])
        #expect(lines.dropFirst().dropLast(3).allSatisfy { $0.utf8.count == 64 })
        #expect((1...64).contains(lines[lines.count - 3].utf8.count))
    }

    @Test(arguments: ["connection-2048.pem", "connection-4096.pem"])
    func writesWhatItRead(_ name: String) throws {
        let body = try keyText(name).split(separator: "\n").dropFirst().dropLast().joined()
        #expect(try privateKey(name).pkcs8().array == Base64.decode(body))
    }

    private static let weak = CryptoError.weakKey("the RSA key has fewer than 2048 bits")

    @Test(arguments: [("weak-1024.pem", weak), ("elliptic-p256.pem", .notRSA)])
    func refusesKeysOfAnotherKind(_ name: String, _ error: CryptoError) {
        #expect(throws: error) { try privateKey(name) }
    }

    @Test func refusesWhatIsNoKey() throws {
        let whole = try privateKey().pkcs8().array
        for der in [[], [0x30], Array(whole.dropLast()), whole + [0]] {
            let der = try secret(der)
            #expect(throws: CryptoError.malformedKey("not a private key")) { try RSAPrivateKey(pkcs8: der) }
        }
        let publicPEM = try publicKey().pem
        #expect(throws: CryptoError.malformedKey("not a private key")) { try RSAPrivateKey(pem: publicPEM) }
        #expect(throws: Self.weak) { try RSAPrivateKey.generate(bits: 1024) }
    }

    @Test func saysWhatIsWrongWithABlock() throws {
        let key = try privateKey()
        for block in [[], [UInt8](repeating: 1, count: 255), [UInt8](repeating: 1, count: 257)] {
            #expect(throws: CryptoError.badLength("an RSA block is as long as the modulus")) { try key.decrypt(block) }
        }
        // With implicit rejection OpenSSL would decrypt some of these to made-up bytes.
        for first in 1...20 as ClosedRange<UInt8> {
            let block = [0, first] + [UInt8](repeating: first, count: 254)
            #expect(throws: CryptoError.decryptionFailed("the RSA block does not decrypt")) { try key.decrypt(block) }
        }
    }

    @Test func oneKeyServesManyTasks() async throws {
        let (key, recipient) = (try privateKey(), try publicKey())
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<64 {
                group.addTask {
                    let payload = try secret("payload \(task)")
                    let opened = try Envelope.seal(payload, for: recipient).open(with: key)
                    let message = opened.array
                    let signature = try key.sign(message)
                    return opened.equals(payload) && recipient.verify(signature, of: message)
                }
            }
            for try await good in group { #expect(good) }
        }
    }

    @Test func decryptsTheTokenOfTheProtocolPage() throws {
        let page: ProtocolPages = try fixture("protocol-pages")
        let block = try #require(Base64.decode(page.token.value))
        #expect(try WeakButRequired.decryptBlocks(block, with: privateKey()).text == page.token.plaintext)
    }

    @Test func decryptsBlocksInSequence() throws {
        let (key, recipient) = (try privateKey(), try publicKey())
        let blocks = try [secret(#"{"access_token":"#), secret(#""tok-5f2c"}"#)].map {
            try $0.withBytes(recipient.encrypt)
        }
        let both = Array(blocks.joined())
        #expect(try WeakButRequired.decryptBlocks(both, with: key).text == #"{"access_token":"tok-5f2c"}"#)
        for bytes in [[], Array(both.dropLast()), both + [0]] {
            #expect(throws: CryptoError.badLength("not whole RSA blocks")) {
                try WeakButRequired.decryptBlocks(bytes, with: key)
            }
        }
        let broken = blocks[0] + [UInt8](repeating: 0, count: 256)
        #expect(throws: CryptoError.decryptionFailed("the RSA block does not decrypt")) {
            try WeakButRequired.decryptBlocks(broken, with: key)
        }
    }
}
