/// Identifies the exact content of one authorization: SHA-256 over a label, the connection's guid, the item's id and
/// the decrypted plaintext, each preceded by its length. `Cryptography` computes it. A decision names it, so a bank cannot
/// replace the content between the moment when the person saw it and the moment when it is signed.
package struct Fingerprint: Sendable, Hashable, Codable {
    /// 64 lower-case hexadecimal digits.
    package let hex: String

    /// From the bytes of the hash; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// From text; nil unless it consists of 64 hexadecimal digits in lower case.
    package init?(hex: String) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.hex = hex
    }

    /// The first 16 digits in groups of four, as a card shows it.
    package var short: String {
        stride(from: 0, to: 16, by: 4).map { start in
            String(hex.dropFirst(start).prefix(4))
        }.joined(separator: " ")
    }

    /// Whether this fingerprint begins with `claim`: 16 or more hexadecimal digits, spaces and case ignored. Nil when
    /// the claim does not have that form.
    package func matches(_ claim: String) -> Bool? {
        let digits = claim.lowercased().filter { $0 != " " }
        guard (16...64).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit) else { return nil }
        return hex.hasPrefix(digits)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let fingerprint = Fingerprint(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a fingerprint")
        }
        self = fingerprint
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}
