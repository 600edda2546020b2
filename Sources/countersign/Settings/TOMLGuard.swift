/// Refuses text on which the TOML parser crashes or which it misreads. None of it is valid TOML.
enum TOMLGuard {
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let quotes = Array("\"'".utf8)
    private static let newline = UInt8(ascii: "\n")

    /// The first line that is not UTF-8 or holds a NUL, or where a header has no key (`[[[`, `[=]`), an array's item is
    /// a closing brace (`[}`), or a date is followed by half a time (`1979-05-27 5`). The latter three fail an
    /// assertion of the parser, which ends the program.
    static func refusedLine(in bytes: [UInt8]) -> Int? {
        let lines = bytes.split(separator: newline, omittingEmptySubsequences: false)
        if let line = lines.firstIndex(where: { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }) {
            return line + 1
        }
        var before = newline
        for (index, line) in code(of: bytes).split(separator: newline, omittingEmptySubsequences: false).enumerated() {
            if isHeaderWithoutKey(line) || isTimeCutOff(line) { return index + 1 }
            for byte in line where byte > 0x20 {
                if byte == UInt8(ascii: "}"), "[,".utf8.contains(before) { return index + 1 }
                before = byte
            }
        }
        return nil
    }

    /// The text line by line, without comments and without the content of quotes.
    private static func code(of bytes: [UInt8]) -> [UInt8] {
        var code: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "#") {
                rest = rest.drop { $0 != newline }
                continue
            }
            code.append(byte)
            guard quotes.contains(byte) else { continue }
            let isLong = rest.starts(with: [byte, byte])
            if isLong { rest = rest.dropFirst(2) }
            while let inside = rest.popFirst() {
                if inside == newline { code.append(newline) }
                if inside == newline, !isLong { break }
                if inside == UInt8(ascii: "\\"), byte == UInt8(ascii: "\""), rest.first != newline {
                    rest = rest.dropFirst()
                }
                if inside == byte, !isLong || rest.starts(with: [byte, byte]) {
                    // A multi-line text may itself end with up to two quotes.
                    if isLong { rest = rest.drop { $0 == byte } }
                    code.append(byte)
                    break
                }
            }
        }
        return code
    }

    private static func isHeaderWithoutKey(_ line: ArraySlice<UInt8>) -> Bool {
        var rest = line.drop { $0 <= 0x20 || $0 >= 0x80 }
        guard rest.first == UInt8(ascii: "[") else { return false }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst() }
        guard let key = rest.first(where: { $0 != 0x20 && $0 != 0x09 }) else { return true }
        let letter = key | 0x20
        return !((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) || #"0123456789-_"']"#.utf8.contains(key))
    }

    /// Whether the line has a date that is followed by `T` without a digit, or by a space and a single digit.
    private static func isTimeCutOff(_ line: ArraySlice<UInt8>) -> Bool {
        for value in line.split(whereSeparator: { "=[,".utf8.contains($0) }) {
            let text = value.drop { $0 <= 0x20 }.filter { $0 != UInt8(ascii: "_") }
            guard text.count > 11, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else { continue }
            if text[10] | 0x20 == UInt8(ascii: "t"), !digits.contains(text[11]) { return true }
            if text[10] == 0x20, digits.contains(text[11]), !digits.contains(text.dropFirst(12).first ?? 0) {
                return true
            }
        }
        return false
    }
}
