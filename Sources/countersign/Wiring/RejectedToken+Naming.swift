import Basics
import Ledger
import Cryptography
import Sessions

extension RejectedToken {
    /// The SHA-256 of a token, in hexadecimal digits, by which programs name it.
    static func digest(of token: any Secret) -> String { token.withBytes { digest(of: Array($0)) } }

    static func digest(of token: [UInt8]) -> String { hexadecimal(Digest.sha256(token)) }

    init(digest: String) {
        let digest = digest.lowercased()
        self.init { Self.digest(of: $0).hasPrefix(digest) }
    }
}
