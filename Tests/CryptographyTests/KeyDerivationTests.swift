import Basics
@testable import Cryptography
import Keys
import Testing

struct KeyDerivationTests {
    struct Derived: Decodable {
        var secret: String
        var salt: String
        var info: String
        var count: Int
        var output: String
    }
    struct Stretched: Decodable {
        var pin: String
        var salt: String
        var n: UInt64
        var r: UInt32
        var p: UInt32
        var count: Int
        var output: String
    }
    struct Answers: Decodable {
        var hkdf: [Derived]
        var scrypt: [Stretched]
    }

    /// RFC 5869, test cases 1 to 3.
    @Test(arguments: [
        (
            String(repeating: "0b", count: 22), "000102030405060708090a0b0c", "f0f1f2f3f4f5f6f7f8f9",
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        ),
        (
            (0x00...0x4f).hex, (0x60...0xaf).hex, (0xb0...0xff).hex,
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
                + "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87"
        ),
        (
            String(repeating: "0b", count: 22), "", "",
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        ),
    ])
    func hkdfOfTheRFC(_ secretHex: String, _ salt: String, _ info: String, _ output: String) throws {
        let output = try bytes(hex: output)
        let derived = try HKDF.derive(
            secret(bytes(hex: secretHex)), salt: bytes(hex: salt), info: bytes(hex: info), count: output.count)
        #expect(derived.array == output)
    }

    @Test func hkdfWithText() throws {
        let answers: Answers = try fixture("known-answers")
        for vector in answers.hkdf {
            let derived = try HKDF.derive(
                secret(bytes(hex: vector.secret)), salt: bytes(hex: vector.salt), info: vector.info, count: vector.count
            )
            #expect(try derived.array == bytes(hex: vector.output))
        }
    }

    @Test(arguments: [-1, 0, 8161])
    func hkdfGivesNoMoreThanItMay(_ count: Int) throws {
        let key = try LockedBytes.random(32)
        #expect(throws: CryptoError.badLength("HKDF gives 1 to 8160 bytes")) {
            try HKDF.derive(key, salt: [], info: "", count: count)
        }
    }

    /// RFC 7914 section 12, without the one that needs 1 GiB.
    @Test(arguments: [
        (
            "", "", PINRecord.Cost(n: 16, r: 1, p: 1),
            "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17"
                + "e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        (
            "password", "NaCl", PINRecord.Cost(n: 1024, r: 8, p: 16),
            "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830da"
                + "c727afb94a83ee6d8360cbdfa2cc0640"
        ),
        (
            "pleaseletmein", "SodiumChloride", PINRecord.Cost(n: 16384, r: 8, p: 1),
            "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9"
                + "e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func scryptOfTheRFC(_ pin: String, _ salt: String, _ cost: PINRecord.Cost, _ output: String) throws {
        let derived = try Scrypt.derive(secret(pin), salt: Array(salt.utf8), cost: cost, count: 64)
        #expect(try derived.array == bytes(hex: output))
    }

    @Test func scryptAtOurCost() throws {
        let answers: Answers = try fixture("known-answers")
        for vector in answers.scrypt {
            let cost = PINRecord.Cost(n: vector.n, r: vector.r, p: vector.p)
            let derived = try Scrypt.derive(
                secret(vector.pin), salt: bytes(hex: vector.salt), cost: cost, count: vector.count)
            #expect(try derived.array == bytes(hex: vector.output))
        }
    }

    @Test(arguments: [
        PINRecord.Cost(n: 0, r: 8, p: 1), PINRecord.Cost(n: 1, r: 8, p: 1), PINRecord.Cost(n: 1000, r: 8, p: 1),
        PINRecord.Cost(n: 1024, r: 0, p: 1), PINRecord.Cost(n: 1024, r: 8, p: 0),
        PINRecord.Cost(n: 1 << 21, r: 8, p: 1),
        PINRecord.Cost(n: .max, r: .max, p: .max), PINRecord.Cost(n: 1 << 63, r: 1, p: 1),
        PINRecord.Cost(n: 2, r: .max, p: 1), PINRecord.Cost(n: 2, r: 1, p: .max),
    ])
    func scryptRefusesOtherCosts(_ cost: PINRecord.Cost) throws {
        let pin = try secret("493027")
        #expect {
            try Scrypt.derive(pin, salt: [], cost: cost, count: 32)
        } throws: {
            if case CryptoError.failed = $0 { true } else { false }
        }
    }
}

extension ClosedRange<Int> {
    fileprivate var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
