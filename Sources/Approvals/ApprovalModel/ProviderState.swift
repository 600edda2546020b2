import FoundationEssentials

/// The facts that a provider keeps with a connection: a value of the provider's own type, as the provider codes it. Since nobody
/// else knows that type, nobody else reads it.
package struct ProviderState: Sendable, Equatable {
    /// JSON with sorted members, so that equal values have equal texts.
    private let json: String

    /// Of a provider that keeps nothing.
    package static let none = ProviderState(json: "{}")

    private init(json: String) { self.json = json }

    package init(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package func read<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(json.utf8))
    }

    /// The same with a change to the value.
    package func changed<Value: Codable>(_ type: Value.Type, _ change: (inout Value) -> Void) throws -> ProviderState {
        var value = try read(as: type)
        change(&value)
        return try ProviderState(value)
    }
}

/// Stored as one text.
extension ProviderState: Codable {
    package init(from decoder: any Decoder) throws { json = try decoder.singleValueContainer().decode(String.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(json)
    }
}

extension ProviderState {
    /// Reads a row of schema 10 or earlier, which has the provider's values in one object with the connection's own members.
    init(beside own: Set<String>, in decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        var values: [String: Value] = [:]
        for name in members.allKeys where !own.contains(name.stringValue) {
            values[name.stringValue] = try members.decode(Value.self, forKey: name)
        }
        try self.init(values)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }

    private enum Value: Codable {
        case truth(Bool)
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .truth(let truth): try container.encode(truth)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            }
        }
    }
}
