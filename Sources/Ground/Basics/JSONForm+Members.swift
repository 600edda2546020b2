internal import FoundationEssentials

extension JSONForm {
    /// A member's name as it stands in the JSON.
    package static func name(of key: some CodingKey) -> String {
        var name = ""
        for character in key.stringValue {
            if character.isUppercase { name += "_" + character.lowercased() } else { name.append(character) }
        }
        return name
    }

    /// The names of an object's own members, and the number of members. There are more members than names when a name
    /// occurs twice. Throws `DecodingError` for anything but an object in UTF-8.
    package static func members(of bytes: [UInt8]) throws -> (names: Set<String>, count: Int) {
        let literals = try literals(of: bytes)
        return (Set(literals.map(\.name)), literals.count)
    }

    /// An object's own members in order, each with its value as it is written. `JSONDecoder` silently drops all but one
    /// member of the same name, and reads `1.0` as 1. Throws `DecodingError` for anything but an object in UTF-8.
    package static func literals(of bytes: [UInt8]) throws -> [(name: String, value: [UInt8])] {
        let decoder = JSONDecoder()
        _ = try decoder.decode(Members.self, from: Data(bytes))
        guard let pieces = pieces(of: bytes) else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "not UTF-8"))
        }
        return try pieces.map { name, value in
            // The decoder has checked that the text between the quotes is UTF-8.
            let isPlain = !name.contains(UInt8(ascii: "\\"))
            return isPlain
                ? (String(decoding: name.dropFirst().dropLast(), as: UTF8.self), value)
                : (try decoder.decode(String.self, from: Data(name)), value)
        }
    }

    /// Names and values of the members as they are written. `bytes` is an object that the decoder accepted. Nil for
    /// UTF-16 and UTF-32, which the decoder accepts too: unlike UTF-8 they have zero bytes.
    private static func pieces(of bytes: [UInt8]) -> [(name: [UInt8], value: [UInt8])]? {
        var pieces: [(name: [UInt8], value: [UInt8])] = []
        var (depth, start) = (0, 0)
        var name: [UInt8]?
        var (isText, isEscaped) = (false, false)
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        func piece(to end: Int) -> [UInt8] {
            var (first, last) = (start, end)
            while first < last, isSpace(bytes[first]) { first += 1 }
            while first < last, isSpace(bytes[last - 1]) { last -= 1 }
            return Array(bytes[first..<last])
        }
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        var index = bytes.startIndex
        while index < bytes.endIndex {
            defer { index += 1 }
            let byte = bytes[index]
            if byte == 0 { return nil }
            if isEscaped {
                isEscaped = false
                continue
            }
            if isText {
                // Most of the object is text, so look only for the end of the text here.
                if byte == backslash { isEscaped = true } else if byte == quote { isText = false }
                continue
            }
            switch byte {
            case quote: isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                if depth == 1 { start = index + 1 }
            case UInt8(ascii: ":") where depth == 1:
                name = piece(to: index)
                start = index + 1
            case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "}") where depth == 1:
                if let name { pieces.append((name, piece(to: index))) }
                (name, start) = (nil, index + 1)
                if byte == UInt8(ascii: "}") { depth = 0 }
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
        }
        return pieces
    }

    private struct Members: Decodable {
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Name.self) }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { return nil }
    }
}
