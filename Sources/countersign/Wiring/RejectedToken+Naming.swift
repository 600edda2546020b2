import Basics
import Ledger
import SCACrypto
import Sessions

extension RejectedToken {
    /// Whether a text names a token by the first digits of its SHA-256.
    static func isDigest(_ text: String) -> Bool {
        (16...64).contains(text.utf8.count) && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }

    init(digest: String) {
        let digest = digest.lowercased()
        self.init { secret in
            secret.withBytes { hexadecimal(Digest.sha256(Array($0))).hasPrefix(digest) }
        }
    }

    init(_ token: any Secret) {
        self.init { secret in
            secret.withBytes { mine in token.withBytes { mine.elementsEqual($0) } }
        }
    }
}
