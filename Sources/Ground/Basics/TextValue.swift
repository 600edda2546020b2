/// A value that is one string in JSON.
package protocol TextValue: Sendable, Hashable, Codable {
    var text: String { get }
    /// Nil when the text does not have the form of the value.
    init?(_ text: String)
}

extension TextValue {
    /// Throws `DecodingError` where the string does not have the form of the value.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a \(Self.self)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
