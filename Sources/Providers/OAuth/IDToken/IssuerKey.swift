import SCACrypto

/// One key of an issuer's key set (RFC 7517 section 4).
struct IssuerKey: Sendable {
    var id: String?
    /// Nil where the key set leaves it open.
    var algorithm: String?
    var key: JWSKey

    /// The most keys of a set that are read.
    private static let most = 100

    /// The signing keys of a set that can be used; nil for what is no key set. What cannot be used is left out: sets also hold keys for
    /// other purposes.
    static func read(_ document: JSONValue) -> [IssuerKey]? {
        document["keys"]?.array?.prefix(most).compactMap(IssuerKey.init)
    }

    private init?(_ value: JSONValue) {
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

    /// Whether it may have signed this token. A token without a `kid` may be of any key of its kind.
    func fits(_ token: IDToken) -> Bool {
        guard key.fits(token.algorithm), algorithm == nil || algorithm == token.algorithm.rawValue else { return false }
        guard let wanted = token.keyID else { return true }
        return id?.isSame(as: wanted) ?? false
    }
}
