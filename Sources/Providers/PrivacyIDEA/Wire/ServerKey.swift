import Cryptography

/// Checks the server's public key for one token, which the answer to an enrollment holds (privacyidea-push section 5).
enum ServerKey {
    /// Why a key is refused.
    enum Fault: Error, Equatable {
        /// Neither Base64 nor a PKCS#1 public key.
        case malformed
        case weak
        /// Even, or less than 3: with an exponent of 1, every signature would be valid.
        case badExponent
        case evenModulus
        /// It is our own public key, which anybody can send back.
        case ours

        /// Our own words, safe to show.
        var reason: String {
            switch self {
            case .malformed: "the server's key is not valid"
            case .weak: "the server's key has fewer than 2048 bits"
            case .badExponent, .evenModulus: "the server's key is no RSA key that could sign"
            case .ours: "the server sent our own key as its own"
            }
        }
    }

    /// Parses the Base64 of a DER RSAPublicKey, which may contain line feeds. Returns the key as SubjectPublicKeyInfo
    /// in PEM, the form that is stored.
    static func read(_ text: String, own: String) throws(Fault) -> String {
        guard let der = Base64.decode(text), let numbers = numbers(in: der) else { throw .malformed }
        // Checked before OpenSSL computes with it.
        guard numbers.exponent.last.map({ $0 & 1 == 1 }) == true, numbers.exponent != [1] else { throw .badExponent }
        guard numbers.modulus.last.map({ $0 & 1 == 1 }) == true else { throw .evenModulus }
        let lines = Base64.encode(der)
        let key: RSAPublicKey
        do {
            key = try RSAPublicKey(pem: "-----BEGIN RSA PUBLIC KEY-----\n\(lines)\n-----END RSA PUBLIC KEY-----\n")
        } catch CryptoError.weakKey {
            throw .weak
        } catch {
            throw .malformed
        }
        guard key.pem != own else { throw .ours }
        return key.pem
    }

    /// The two numbers of an RSAPublicKey (RFC 8017 appendix A.1.1), without leading zeros; nil for anything else.
    private static func numbers(in der: [UInt8]) -> (modulus: [UInt8], exponent: [UInt8])? {
        var outer = DER(rest: der[...])
        guard let body = outer.take(0x30), outer.rest.isEmpty else { return nil }
        var inner = DER(rest: body)
        guard let modulus = inner.take(0x02), let exponent = inner.take(0x02), inner.rest.isEmpty else { return nil }
        return (Array(modulus.drop { $0 == 0 }), Array(exponent.drop { $0 == 0 }))
    }

    /// Reads DER elements one after the other (X.690 section 8.1).
    private struct DER {
        var rest: ArraySlice<UInt8>

        /// The content of the next element; nil unless it has this tag.
        mutating func take(_ tag: UInt8) -> ArraySlice<UInt8>? {
            guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
            var length = Int(first)
            if first >= 0x80 {
                guard (1...3).contains(first & 0x7F), rest.count >= Int(first & 0x7F) else { return nil }
                length = 0
                for _ in 0..<(first & 0x7F) { length = length << 8 | Int(rest.removeFirst()) }
            }
            guard rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return rest.prefix(length)
        }
    }
}
