/// Any JSON value.
enum JSONTree: Decodable, Sendable, Equatable {
    case null
    case bool(Bool)
    case whole(Int64)
    /// A number that is not whole, or too large to be compared.
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

    /// A member of an object; nil of anything else, and where there is none.
    subscript(name: String) -> JSONTree? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The one form that RFC 8785 gives it. Nil where a number in it has none that we know.
    var canonical: String? {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        // Beyond that, readers disagree on what it is.
        case .whole(let number): number.magnitude < 1 << 53 ? String(number) : nil
        case .number: nil
        case .text(let text): Self.quoted(text)
        case .array(let values):
            Self.joined(values.map(\.canonical)).map { "[\($0)]" }
        case .object(let members):
            // By UTF-16 code units (section 3.2.3).
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

    /// With the escapes that are needed, and no others (section 3.2.2.2).
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
