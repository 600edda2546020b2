import Basics

extension JSON {
    /// The canonical form, which is signed (RFC 8785). Nil if other programs could read the value differently, as where a
    /// name occurs twice, or if it holds a number whose form we cannot compute.
    var canonical: String? {
        switch kind {
        case .unreadable: nil
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        // Beyond 2^53, readers disagree on the value.
        case .number(let literal):
            (Int64(literal) ?? number.flatMap(Int64.init(exactly:))).flatMap {
                $0.magnitude < 1 << 53 ? String($0) : nil
            }
        case .text(let text): Self.canonical(text)
        case .array(let values): Self.joined(values.map(\.canonical)).map { "[\($0)]" }
        case .object(let members) where members.isAmbiguous: nil
        case .object(let members):
            // RFC 8785 section 3.2.3 orders names by UTF-16 code units.
            Self.joined(
                members.names.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }
                    .map { name in members[name]?.canonical.map { "\(Self.canonical(name)):\($0)" } }
            ).map { "{\($0)}" }
        }
    }

    private static func joined(_ parts: [String?]) -> String? {
        let known = parts.compactMap { $0 }
        return known.count == parts.count ? known.joined(separator: ",") : nil
    }

    /// A text with only the escapes that are needed (RFC 8785 section 3.2.2.2).
    static func canonical(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{8}": result += "\\b"
            case "\u{C}": result += "\\f"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..."\u{1F}":
                result += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
