package import Basics
import FoundationEssentials
import Keys

extension SecretSlot {
    /// Reads claims of an ID token whose signature was checked when it came. Nil for a text that is no ID token.
    func claims<Claims: Decodable>(_ type: Claims.Type) -> Claims? {
        let text = secret.withBytes { bytes -> String? in
            let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            return parts.count == 3 ? Self.padded(parts[1]) : nil
        }
        return text.flatMap { Data(base64Encoded: $0) }.flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    /// The programs besides `client` that an ID token is for, in the issuer's words.
    package func audiences(besides client: BankText) -> [BankText] {
        guard let audience = claims(Audience.self) else { return [] }
        return audience.all.map { BankText($0) }.filter { $0 != client }
    }

    private struct Audience: Decodable {
        var all: [String]

        private enum CodingKeys: String, CodingKey { case aud }

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            do { all = try members.decode([String].self, forKey: .aud) } catch {
                all = [try members.decode(String.self, forKey: .aud)]
            }
        }
    }

    /// Turns the Base64 of addresses (RFC 4648 section 5) into plain Base64 with padding.
    private static func padded(_ bytes: some Sequence<UInt8>) -> String {
        var plain = bytes.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while !plain.count.isMultiple(of: 4) { plain.append(UInt8(ascii: "=")) }
        return String(decoding: plain, as: UTF8.self)
    }
}
