import FoundationEssentials

/// The signature of v2: a JWS over the request body, which is left out of it (saltedge-v2 section 4.3, RFC 7515 appendix F).
enum DetachedJWS {
    /// The fault of a signature or its claims.
    enum Fault: Error {
        case malformed
        case wrongAlgorithm
        case wrongSignature
        case expiryMissing
        case expired
    }

    /// Verifies the signature over exactly these bytes, and their `exp`, and returns the JSON document in them.
    static func verify(_ value: String, body: [UInt8], publicKey: String, now: Double) throws(Fault) -> JSONValue {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts[1].isEmpty,
            let header = Base64Text.decodeURLSafe(parts[0]).flatMap(JSONValue.init),
            let signature = Base64Text.decodeURLSafe(parts[2]), header["crit"] == nil, header["b64"] == nil
        else { throw .malformed }
        guard header["alg"]?.string == "RS256" else { throw .wrongAlgorithm }

        let input = parts[0] + "." + Base64Text.urlSafe(Data(body))
        guard RSAKeyText.isValid(signature: signature, over: Data(input.utf8), publicKey: publicKey) else {
            throw .wrongSignature
        }
        guard let document = JSONValue(parsing: body), case .int(let expiry) = document["exp"] else {
            throw .expiryMissing
        }
        guard Double(expiry) > now else { throw .expired }
        return document
    }
}

extension JSONValue {
    /// As ``init(parsing:)``, for use as a function.
    fileprivate init?(_ data: Data) { self.init(parsing: data) }
}
