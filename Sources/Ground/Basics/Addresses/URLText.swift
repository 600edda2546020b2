/// Writes text into a path, a query or a header that this program makes: UTF-8, percent-encoded (RFC 3986 section 2.1).
/// `Percent.decode` reads it. See `Percent` for why Foundation does not do this.
package enum URLText {
    /// Escapes all but letters, digits and `-._~:,`.
    package static func encode(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case let byte where "-._~:,".utf8.contains(byte): result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}
