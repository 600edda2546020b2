import Basics
import FoundationEssentials
import ApprovalModel
import Cryptography

/// What Keys/ and Fixtures/privacyidea hold; their README files say what made it.
enum Fixture {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    // A fixture that cannot be read ends the run, which names it.
    private static func data(_ name: String) -> Data {
        try! Data(contentsOf: root.appending(path: "Fixtures/privacyidea/\(name).json"))
    }

    static func json<T: Decodable>(_ name: String, as type: T.Type = T.self) -> T {
        try! JSONDecoder().decode(T.self, from: data(name))
    }

    static func json(_ name: String) -> JSON { JSON(Array(data(name)))! }

    static func key(_ name: String) throws -> RSAPrivateKey {
        try RSAPrivateKey(
            pem: String(decoding: try Data(contentsOf: root.appending(path: "Keys/\(name)")), as: UTF8.self))
    }

    static func publicKey(_ name: String) throws -> RSAPublicKey { try RSAPublicKey(pem: key(name).publicKeyPEM) }
}
