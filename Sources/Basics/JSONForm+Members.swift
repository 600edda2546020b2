internal import FoundationEssentials

extension JSONForm {
    /// A member's name as it stands in the JSON.
    static func name(of key: some CodingKey) -> String {
        key.stringValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }.joined()
    }

    /// The names of an object's own members, as they are written, and the number of members. There are more members
    /// than names when a name occurs twice. Throws `DecodingError` for anything but an object in UTF-8.
    public static func members(of bytes: [UInt8]) throws -> (names: Set<String>, count: Int) {
        let names = try JSONDecoder().decode(Members.self, from: Data(bytes)).names
        guard let count = colons(in: bytes) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not UTF-8"))
        }
        return (names, count)
    }

    /// The number of members, counted by their colons, since `JSONDecoder` silently drops all but one member of the
    /// same name. `bytes` is JSON that the decoder accepted. Nil for UTF-16 and UTF-32, which the decoder accepts too:
    /// unlike UTF-8 they have zero bytes.
    private static func colons(in bytes: [UInt8]) -> Int? {
        var (count, depth) = (0, 0)
        var (isText, isEscaped) = (false, false)
        for byte in bytes {
            switch byte {
            case 0: return nil
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isText: isEscaped = true
            case UInt8(ascii: "\""): isText.toggle()
            case _ where isText: continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: ":") where depth == 1: count += 1
            default: continue
            }
        }
        return count
    }

    private struct Members: Decodable {
        var names: Set<String>

        init(from decoder: any Decoder) throws {
            names = Set(try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue))
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}
