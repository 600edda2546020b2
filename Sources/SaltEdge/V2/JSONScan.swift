import FoundationEssentials

/// A JSON value as it stands in the text, so that a number can be shown digit by digit as it was received (saltedge-v2
/// section 8.3). Only for text that a decoder has read already: what is not JSON has no members here.
struct JSONScan {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        var trimmed = bytes.drop(while: Self.isSpace)
        while let last = trimmed.last, Self.isSpace(last) { trimmed.removeLast() }
        self.bytes = trimmed
    }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// The text of a string, unescaped; of `null` nil; of anything else its JSON text.
    var text: String? {
        if bytes.elementsEqual("null".utf8) { return nil }
        guard bytes.first == UInt8(ascii: "\"") else { return String(decoding: bytes, as: UTF8.self) }
        // Without escapes it stands as it is; asking a decoder for each of very many names would take very long.
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(bytes))
    }

    /// The value of an object's first member of this name.
    func member(_ name: String) -> JSONScan? {
        guard isObject else { return nil }
        for member in split(bytes.dropFirst().dropLast(), at: ",") {
            let parts = split(member, at: ":")
            if parts.count == 2, JSONScan(parts[0]).text == name { return JSONScan(parts[1]) }
        }
        return nil
    }

    /// Cuts at each `separator` that stands outside of strings and brackets.
    private func split(_ text: ArraySlice<UInt8>, at separator: Unicode.Scalar) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var depth = 0
        var inString = false
        var escaped = false
        for (index, byte) in zip(text.indices, text) {
            switch byte {
            case _ where escaped: escaped = false
            case UInt8(ascii: "\\"): escaped = inString
            case UInt8(ascii: "\""): inString.toggle()
            case _ where inString: break
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: separator) where depth == 0:
                pieces.append(text[start..<index])
                start = index + 1
            default: break
            }
        }
        return pieces + [text[start...]]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}
