/// Percent escapes (RFC 3986 section 2.1).
///
/// Written here because Foundation has them outside of FoundationEssentials, the only part of Foundation that this
/// program loads (the rest would make each start slower), and would escape the `%` of existing escapes again.
package enum Percent {
    /// Decodes once; nil for a broken escape, or when the result is not UTF-8. A `+` stays unless `plusIsSpace`.
    package static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Escapes only what may not stand in a URL at all: space, non-ASCII, `"<>[]\^`, the backquote, `{|}`, and a `%`
    /// that begins no escape. Existing escapes are untouched.
    package static func encodeForeign(_ text: Substring.UnicodeScalarView) -> String {
        let bytes = Array(String(text).utf8)
        var result = ""
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            let broken =
                byte == UInt8(ascii: "%")
                && (index + 2 >= bytes.count || digit(bytes[index + 1]) == nil || digit(bytes[index + 2]) == nil)
            if byte > 0x20, byte < 0x7F, !broken, !foreign.contains(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }

    private static let foreign: Set<UInt8> = Set("\"<>[]\\^`{|}".utf8)

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
