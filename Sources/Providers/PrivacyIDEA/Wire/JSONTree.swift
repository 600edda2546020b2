/// Any JSON value. Written here because `JSONDecoder` needs the shape of a value beforehand, and writes none in the
/// canonical form that is signed (RFC 8785).
enum JSONTree: Decodable, Sendable, Equatable {
    case null
    case bool(Bool)
    case whole(Int64)
    /// A number that is not an integer, or too large for `Int64`.
    case number
    case text(String)
    case array([JSONTree])
    case object([String: JSONTree])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Int64.self) {
            self = .whole(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSONTree].self) {
            self = .array(array)
        } else if let object = try? value.decode([String: JSONTree].self) {
            self = .object(object)
        } else {
            self = .number
        }
    }

    /// A member of an object; nil if this is no object or has no such member.
    subscript(name: String) -> JSONTree? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The canonical form of RFC 8785; nil if it holds a number whose form we cannot compute.
    var canonical: String? {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        // Beyond 2^53, readers disagree on the value.
        case .whole(let number): number.magnitude < 1 << 53 ? String(number) : nil
        case .number: nil
        case .text(let text): Self.quoted(text)
        case .array(let values):
            Self.joined(values.map(\.canonical)).map { "[\($0)]" }
        case .object(let members):
            // RFC 8785 section 3.2.3 orders names by UTF-16 code units.
            Self.joined(
                members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
                    .map { name, value in value.canonical.map { "\(Self.quoted(name)):\($0)" } }
            ).map { "{\($0)}" }
        }
    }

    private static func joined(_ parts: [String?]) -> String? {
        let known = parts.compactMap { $0 }
        return known.count == parts.count ? known.joined(separator: ",") : nil
    }

    /// With only the escapes that are needed (RFC 8785 section 3.2.2.2).
    private static func quoted(_ text: String) -> String {
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
