import Basics
import FoundationEssentials
import Cryptography

/// Why the access token of a redirect did not open. Two errors with the same code are equal.
struct TokenError: Error, Equatable {
    enum Code {
        case badBase64, badLength, notForThisKey, notJSON, noToken
    }

    var code: Code
    var reason: String

    static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}

/// The access token of a v2 redirect: JSON, encrypted for our key, in Base64 of any alphabet and wrapping (saltedge-v2
/// section 4.4).
enum V2AccessToken {
    private struct Payload: Decodable {
        var token: String

        enum CodingKeys: String, CodingKey {
            case token = "access_token"
        }
    }

    /// Decrypts the token. `text` is already decoded from the address.
    static func open(_ text: BankText, with key: any PrivateKey) throws(TokenError) -> any Secret {
        // Some banks decode a plus sign as if it stood in a form, which makes a space of it.
        let base64 = text.untrusted.replacing(" ", with: "+")
        guard let bytes = Base64.decodeLenient(base64), !bytes.isEmpty else {
            throw TokenError(code: .badBase64, reason: "the access token is not Base64")
        }
        let json: LockedBytes
        do {
            json = try WeakButRequired.decryptBlocks(bytes, with: key)
        } catch let error as CryptoError where error.code == .badLength {
            throw TokenError(code: .badLength, reason: "the access token is not whole blocks for this key")
        } catch {
            throw TokenError(code: .notForThisKey, reason: "the access token is not encrypted for this key")
        }
        let (isJSON, payload) = json.withBytes { bytes in
            var json = Data(bytes)
            defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
            let isJSON = (try? JSONDecoder().decode([String: Anything].self, from: json)) != nil
            return (isJSON, try? JSONDecoder().decode(Payload.self, from: json))
        }
        guard isJSON else { throw TokenError(code: .notJSON, reason: "the content of the access token is not JSON") }
        guard let payload, let token = try? AccessToken.checked(payload.token) else {
            throw TokenError(code: .noToken, reason: "the content of the access token is not a token")
        }
        return token
    }
}
