import Basics
import FoundationEssentials
import Cryptography

/// Why the access token of a redirect did not open.
enum TokenError: Error {
    case badBase64, badLength, notForThisKey, notJSON, noToken

    /// Our own words, safe to show.
    var reason: String {
        switch self {
        case .badBase64: "the access token is not Base64"
        case .badLength: "the access token is not whole blocks for this key"
        case .notForThisKey: "the access token is not encrypted for this key"
        case .notJSON: "the content of the access token is not JSON"
        case .noToken: "the content of the access token is not a token"
        }
    }
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
            throw .badBase64
        }
        let json: LockedBytes
        do {
            json = try WeakButRequired.decryptBlocks(bytes, with: key)
        } catch CryptoError.badLength {
            throw .badLength
        } catch {
            throw .notForThisKey
        }
        let (isJSON, payload) = json.withBytes { bytes in
            var json = Data(bytes)
            defer { json.resetBytes(in: json.startIndex..<json.endIndex) }
            let isJSON = (try? JSONDecoder().decode([String: Anything].self, from: json)) != nil
            return (isJSON, try? JSONDecoder().decode(Payload.self, from: json))
        }
        guard isJSON else { throw .notJSON }
        guard let payload, let token = try? AccessToken.checked(payload.token) else {
            throw .noToken
        }
        return token
    }
}
