import FoundationEssentials
import Cryptography

// The contents of Keys/ and Fixtures/crypto. Their README files say how they were made.

private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

func fixture<T: Decodable>(_ name: String, as type: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(T.self, from: Data(contentsOf: root.appending(path: "Fixtures/crypto/\(name).json")))
}

func keyText(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: root.appending(path: "Keys/\(name)")), as: UTF8.self)
}

func privateKey(_ name: String = "connection-2048.pem") throws -> RSAPrivateKey {
    try RSAPrivateKey(pem: keyText(name))
}

func publicKey(_ name: String = "connection-2048.pem") throws -> RSAPublicKey {
    try RSAPublicKey(pem: privateKey(name).publicKeyPEM)
}

func secret(_ bytes: [UInt8]) throws -> LockedBytes {
    try bytes.withUnsafeBytes { try LockedBytes(copying: $0) }
}

func secret(_ text: String) throws -> LockedBytes { try secret(Array(text.utf8)) }

func bytes(hex: String) throws -> [UInt8] {
    let digits = Array(hex.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
        guard let byte = UInt8(String(decoding: digits[index..<(index + 2)], as: UTF8.self), radix: 16) else {
            throw CocoaError(.formatting)
        }
        return byte
    }
}

extension LockedBytes {
    var array: [UInt8] { withBytes { Array($0) } }
    var text: String { String(decoding: array, as: UTF8.self) }
}

struct ProtocolPages: Decodable {
    struct Signed: Decodable {
        var signed: String
        var method: String
        var url: String
        var expiresAt: Int
        var body: String
        var signature: String
    }
    struct Sealed: Decodable {
        var key: String
        var iv: String
        var data: String
        var aesKey: String
        var aesIV: String
        var plaintext: String
    }
    struct JWS: Decodable {
        var body: String
        var value: String
    }
    struct Token: Decodable {
        var value: String
        var plaintext: String
    }
    var key: String
    var requestSignatures: [Signed]
    var envelope: Sealed
    var jws: JWS
    var token: Token
}

/// The name of an error's case, as vectors write it.
func caseName(_ error: (any Error)?) -> String? { error.map { String("\($0)".prefix { $0 != "(" }) } }

/// The error of type `E` that `body` throws; nil when it throws nothing or another error.
func failure<E: Error>(_ type: E.Type, of body: () throws -> some Any) -> E? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? E
    }
}
