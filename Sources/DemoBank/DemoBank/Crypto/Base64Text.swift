import FoundationEssentials

/// Base64 in the forms that real servers send.
enum Base64Text {
    /// Whether long values are broken into lines (saltedge-v1 section 7: the Ruby server does, the Java server does not).
    enum Style: Sendable {
        case single
        case wrapped
    }

    static func standard(_ data: Data, style: Style) -> String {
        let text = data.base64EncodedString()
        switch style {
        case .single: return text
        case .wrapped: return lines(of: text, length: 60)
        }
    }

    /// The URL-safe alphabet without padding (RFC 7515 section 2).
    static func urlSafe(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Reads unpadded URL-safe text; `nil` when it is anything else.
    static func decodeURLSafe(_ text: String) -> Data? {
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "=") })
        else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }

    /// Reads standard text with any line breaks.
    static func decodeStandard(_ text: String) -> Data? {
        Data(base64Encoded: String(text.filter { !$0.isWhitespace }))
    }

    /// Every line ends with LF, the last one too.
    private static func lines(of text: String, length: Int) -> String {
        var rest = text[...]
        var result = ""
        while !rest.isEmpty {
            result += rest.prefix(length) + "\n"
            rest = rest.dropFirst(length)
        }
        return result
    }
}
