/// Names one key pair with its access token in the key store. Each enrollment and each reconnect makes a new one, so a
/// new pair can be stored beside the old one and take its place in a single commit.
public struct KeyID: TextValue {
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
