import Basics
import Ledger
import SCACrypto
import Sessions

extension RejectedToken {
    /// The SHA-256 of a token, in hexadecimal digits, by which programs name it.
    static func digest(of token: any Secret) -> String {
        token.withBytes { hexadecimal(Digest.sha256(Array($0))) }
    }

    init(digest: String) {
        let digest = digest.lowercased()
        self.init { Self.digest(of: $0).hasPrefix(digest) }
    }
}
