/// JSON as we send it: one line, members in the given order, everything outside of ASCII as `\uXXXX` (saltedge-v1
/// section 6.1), so that nothing on the way to the server has a reason to change the signed bytes. Written here because
/// `JSONEncoder` neither keeps the order of members nor escapes characters outside of ASCII.
enum JSONText {
    case text(String)
    case number(Int)
    case bool(Bool)
    case object([(String, JSONText)])

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .text(let text): Self.quote(text, to: &bytes)
        case .number(let number): bytes += String(number).utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(isPlain) { bytes += text.utf8 } else { escape(text, to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) && byte != 0x22 && byte != 0x5C }

    private static func escape(_ text: String, to bytes: inout [UInt8]) {
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: bytes += [UInt8(ascii: "\\"), UInt8(unit)]
            case 0x20...0x7E: bytes.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
    }
}
