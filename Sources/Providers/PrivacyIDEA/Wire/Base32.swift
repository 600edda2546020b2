/// Base32 in upper case (RFC 4648 section 6). Written here because neither Foundation nor OpenSSL has it.
enum Base32 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
    private static let pad = UInt8(ascii: "=")

    /// With padding.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 4) / 5 * 8)
        var bits: UInt32 = 0
        var held: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            held += 8
            while held >= 5 {
                held -= 5
                text.append(alphabet[Int(bits >> held & 31)])
            }
        }
        if held > 0 { text.append(alphabet[Int(bits << (5 - held) & 31)]) }
        while text.count % 8 != 0 { text.append(pad) }
        return String(decoding: text, as: UTF8.self)
    }

    /// With or without padding. Nil for lower case or any other character outside the alphabet, for a text that was cut
    /// off, and for one whose last character has leftover bits that are not zero.
    static func decode(_ text: String) -> [UInt8]? {
        var digits = Array(text.utf8)[...]
        while digits.last == pad { digits.removeLast() }
        guard text.utf8.count == digits.count || (text.utf8.count % 8 == 0 && text.utf8.count - digits.count < 8) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count * 5 / 8)
        var bits: UInt32 = 0
        var held: UInt32 = 0
        for digit in digits {
            let value: UInt32
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(digit - UInt8(ascii: "A"))
            case UInt8(ascii: "2")...UInt8(ascii: "7"): value = UInt32(digit - UInt8(ascii: "2")) + 26
            default: return nil
            }
            bits = bits << 5 | value
            held += 5
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            }
        }
        guard held < 5, bits & (1 << held - 1) == 0 else { return nil }
        return bytes
    }
}
