/// JSON as we send it: one line, members in the given order, everything outside ASCII as `\uXXXX` (saltedge-v1 section
/// 6.1), so that the bytes under a signature survive any relay.
enum JSONText {
    case text(String)
    case number(Int)
    case bool(Bool)
    case object([(String, JSONText)])

    var bytes: [UInt8] { Array(string.utf8) }

    private var string: String {
        switch self {
        case .text(let text): Self.quote(text)
        case .number(let number): String(number)
        case .bool(let bool): bool ? "true" : "false"
        case .object(let members): "{" + members.map { Self.quote($0) + ":" + $1.string }.joined(separator: ",") + "}"
        }
    }

    private static func quote(_ text: String) -> String {
        var result = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: result += "\\\""
            case 0x5C: result += "\\\\"
            case 0x20...0x7E: result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return result + "\""
    }
}
