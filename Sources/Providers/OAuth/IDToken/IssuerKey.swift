import Basics
import Cryptography

/// One key of an issuer's key set (RFC 7517 section 4).
struct IssuerKey: Sendable {
    var id: String?
    /// Nil where the key set leaves it open.
    var algorithm: String?
    var key: JWSKey

    /// The most keys of a set that are read.
    private static let most = 100

    /// Reads the usable signing keys of a key set. Skips all others, since sets also hold keys for other purposes. Nil if the
    /// document is no key set.
    static func read(_ document: JSON) -> [IssuerKey]? {
        document["keys"]?.array?.prefix(most).compactMap(IssuerKey.init)
    }

    /// Whether a key set has more keys than are read.
    static func areTooMany(_ document: JSON) -> Bool { (document["keys"]?.array?.count ?? 0) > most }

    private init?(_ value: JSON) {
        guard value["use"] == nil || value["use"]?.text == "sig" else { return nil }
        if let operations = value["key_ops"]?.texts, !operations.contains("verify") { return nil }
        func bytes(_ name: String) -> [UInt8]? { value[name]?.text.flatMap(Base64.decodeLenient) }
        switch value["kty"]?.text {
        case "RSA":
            guard let n = bytes("n"), let e = bytes("e"), let key = try? JWSKey(modulus: n, exponent: e) else {
                return nil
            }
            self.key = key
        case "EC":
            guard let curve = value["crv"]?.text.flatMap(JWSKey.Curve.init), let x = bytes("x"), let y = bytes("y"),
                let key = try? JWSKey(curve, x: x, y: y)
            else { return nil }
            self.key = key
        default: return nil
        }
        id = value["kid"]?.text
        algorithm = value["alg"]?.text
    }

    /// Whether this key may have signed the token. If the token has no `kid`, any key of its kind may have.
    func fits(_ token: IDToken) -> Bool {
        guard key.fits(token.algorithm), algorithm == nil || algorithm == token.algorithm.rawValue else { return false }
        guard let wanted = token.keyID else { return true }
        return id?.isSame(as: wanted) ?? false
    }
}
