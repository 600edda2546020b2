import ApprovalModel
import Cryptography

/// Checks access tokens, which go unchanged into a header.
enum AccessToken {
    /// The token in locked memory. Throws `malformedAnswer` unless it consists of 1 to 4096 visible ASCII characters.
    static func checked(_ text: String) throws(BankError) -> LockedBytes {
        var bytes = Array(text.utf8)
        guard (1...4096).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw BankError(.malformedAnswer, "the access token is not 1 to 4096 visible ASCII characters")
        }
        do {
            return try LockedBytes(wiping: &bytes)
        } catch {
            throw BankError(.cryptography, "no locked memory for the access token")
        }
    }
}
