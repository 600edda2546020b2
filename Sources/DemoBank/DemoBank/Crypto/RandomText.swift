import FoundationEssentials

/// Secrets as text.
enum RandomText {
    /// 24 random bytes as 32 URL-safe Base64 characters, the form of the Java server's tokens (saltedge-v1 section 5).
    static func token() -> String {
        Base64Text.urlSafe(Data(bytes(24)))
    }

    static func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
