/// Percent-encoding both ways, for links, redirects and forms.
enum URLText {
    /// Leaves only unreserved characters (RFC 3986 section 2.3): a space becomes `%20`.
    static func percentEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + hex(byte >> 4) + hex(byte & 15)
            }
        }
        return result
    }

    /// Encodes like a form: a space becomes `+`.
    static func formEncoded(_ text: String) -> String {
        percentEncoded(text).replacing("%20", with: "+")
    }

    /// The fields of an `application/x-www-form-urlencoded` text. When a name occurs twice, the first value counts.
    static func formFields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = formDecoded(parts[0])
            if fields[name] == nil { fields[name] = parts.count == 2 ? formDecoded(parts[1]) : "" }
        }
        return fields
    }

    /// Appends a query to a URL that may have one already.
    static func appending(_ query: String, to url: String) -> String {
        url + (url.contains("?") ? "&" : "?") + query
    }

    private static func formDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(rest.prefix(2))), radix: 16),
                rest.count >= 2
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func hex(_ nibble: UInt8) -> String { String(nibble, radix: 16, uppercase: true) }
}
