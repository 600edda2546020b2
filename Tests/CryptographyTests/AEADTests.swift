import Cryptography
import Testing

struct AEADTests {
    struct Vector: Decodable, Sendable {
        var name: String
        var key: String
        var plaintext: String
        var sealed: String
    }
    struct Answers: Decodable { var aead: [Vector] }

    /// Cases 13 and 14 of the GCM specification, and ours with a name.
    static let vectors: [Vector] =
        [
            Vector(
                name: "", key: String(repeating: "00", count: 32), plaintext: "",
                sealed: "000000000000000000000000" + "530f8afbc74536b9a963b4f1c4cb738b"),
            Vector(
                name: "", key: String(repeating: "00", count: 32), plaintext: String(repeating: "00", count: 16),
                sealed: "000000000000000000000000" + "cea7403d4d606b6e074ec5d3baf39d18"
                    + "d0d1c8a799996bf0265b98b5d48ab919"),
        ] + ((try? fixture("known-answers", as: Answers.self))?.aead ?? [])

    @Test func hasAllVectors() { #expect(Self.vectors.count == 6) }

    @Test(arguments: vectors)
    func opensWhatOthersSealed(_ vector: Vector) throws {
        let key = try secret(bytes(hex: vector.key))
        let plaintext = try bytes(hex: vector.plaintext)
        #expect(try AEAD.open(bytes(hex: vector.sealed), key: key, name: vector.name).array == plaintext)
    }

    @Test(arguments: [0, 1, 16, 4096, 100_000])
    func opensWhatItSealed(_ count: Int) throws {
        let (key, plaintext) = (try LockedBytes.random(32), try LockedBytes.random(count))
        let sealed = try AEAD.seal(plaintext, key: key, name: "row/7")
        #expect(sealed.count == count + 28)
        #expect(try AEAD.open(sealed, key: key, name: "row/7").equals(plaintext))
        #expect(try AEAD.seal(plaintext, key: key, name: "row/7") != sealed)
    }

    private static let changed = CryptoError.authenticationFailed("sealed bytes do not open")

    @Test func everyChangedBitIsSeen() throws {
        let key = try LockedBytes.random(32)
        let sealed = try AEAD.seal(secret("tok-5f2c"), key: key, name: "token")
        for bit in 0..<(sealed.count * 8) {
            var changed = sealed
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: Self.changed) { try AEAD.open(changed, key: key, name: "token") }
        }
        for count in 0..<sealed.count {
            let cut = Array(sealed[..<count])
            let expected = count < 28 ? CryptoError.authenticationFailed("sealed bytes are cut off") : Self.changed
            #expect(throws: expected) { try AEAD.open(cut, key: key, name: "token") }
        }
    }

    @Test func nameAndKeyAreBound() throws {
        let key = try LockedBytes.random(32)
        let sealed = try AEAD.seal(secret("tok-5f2c"), key: key, name: "token/1")
        let other = try LockedBytes.random(32)
        for (key, name) in [(key, "token/2"), (key, ""), (other, "token/1")] {
            #expect(throws: Self.changed) { try AEAD.open(sealed, key: key, name: name) }
        }
        let short = try LockedBytes.random(16)
        let misfit = CryptoError.badLength("an AES-256 key has 32 bytes")
        #expect(throws: misfit) { try AEAD.open(sealed, key: short, name: "token/1") }
        #expect(throws: misfit) { try AEAD.seal(key, key: short, name: "token/1") }
    }
}
