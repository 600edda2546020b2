import Basics
import FoundationEssentials

/// Any JSON value of an issuer.
enum JSONValue: Decodable, Sendable, Equatable {
    case null
    case bool(Bool)
    /// A `Double`, since some issuers send times with fractions.
    case number(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([JSONValue].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONValue].self))
        }
    }

    /// Parses a JSON object in UTF-8. Nil for anything else, or if a name occurs twice: parsers disagree on the meaning of that.
    static func object(in bytes: [UInt8]) -> JSONValue? {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)), case .object = value,
            let members = try? JSONForm.members(of: bytes), members.names.count == members.count
        else { return nil }
        return value
    }

    /// A member of an object. Nil if it is missing or null, or if this is no object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self, let member = members[name], member != .null else { return nil }
        return member
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }

    var isTrue: Bool { self == .bool(true) }

    var array: [JSONValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    /// A list of texts; nil where one of its members is something else.
    var texts: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.text)
        return texts.count == array.count ? texts : nil
    }
}
