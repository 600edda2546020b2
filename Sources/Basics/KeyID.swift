/// Names one key pair with its access token in the key store. Each enrollment and each reconnect makes a new one, so a
/// new pair can be stored beside the old one and take its place in a single commit.
public struct KeyID: Sendable, Hashable, Codable {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
