package import Basics

/// A secret within a value that is stored: the value's JSON has only a number in its place, so that the secret's bytes pass through
/// no string. The bytes travel beside the JSON, on a `SecretShelf`.
package struct SecretSlot: Sendable, Codable {
    package let secret: any Secret

    package init(_ secret: any Secret) { self.secret = secret }

    /// Throws `DecodingError` where no shelf was given, or the shelf has no such secret.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let shelf = decoder.userInfo[SecretShelf.key] as? SecretShelf,
            let secret = shelf.secret(try container.decode(Int.self))
        else { throw DecodingError.dataCorruptedError(in: container, debugDescription: "a secret is missing") }
        self.secret = secret
    }

    /// Throws `EncodingError` where no shelf was given: a secret is never written as JSON.
    package func encode(to encoder: any Encoder) throws {
        guard let shelf = encoder.userInfo[SecretShelf.key] as? SecretShelf else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "a secret cannot be written here"))
        }
        var container = encoder.singleValueContainer()
        try container.encode(shelf.put(secret))
    }
}

extension SecretSlot: CustomStringConvertible, CustomReflectable {
    /// Reveals nothing of the secret.
    package var description: String { "<secret>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
