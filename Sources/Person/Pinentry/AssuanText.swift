import Cryptography

/// Text in lines of Assuan: `%`, carriage return and line feed are written `%25`, `%0D` and `%0A`.
package enum AssuanText {
    /// The longest line in bytes, without its line feed ("Developing with Assuan", Server responses).
    package static let longestLine = 1000
    /// The mark where a text was cut. A text from outside cannot contain it, since `DisplayText` escapes this bracket.
    private static let cut = Array("⟨…⟩".utf8)

    /// A command with one argument. An argument that is too long is cut, with a mark at its end.
    static func line(_ command: String, _ text: String) -> [UInt8] {
        var line = Array("\(command) ".utf8)
        var withMark = line.count
        for scalar in text.unicodeScalars {
            line += escaped(scalar)
            if line.count > longestLine { return line[..<withMark] + cut }
            if line.count + cut.count <= longestLine { withMark = line.count }
        }
        return line
    }

    /// How many bytes a text takes in a line, escapes included.
    package static func length(_ text: String) -> Int {
        var length = 0
        for byte in text.utf8 { length += byte == UInt8(ascii: "%") || byte == 13 || byte == 10 ? 3 : 1 }
        return length
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
        switch scalar {
        case "%": Array("%25".utf8)
        case "\r": Array("%0D".utf8)
        case "\n": Array("%0A".utf8)
        default: Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Undoes the escapes, from locked memory into locked memory.
    static func unescape(_ text: Slice<UnsafeRawBufferPointer>) throws -> LockedBytes {
        try LockedBytes(capacity: text.count) { room in
            var (rest, length) = (text, 0)
            while var byte = rest.popFirst() {
                if byte == UInt8(ascii: "%") {
                    guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                        throw PinentryError.malformed("a percent sign without two digits")
                    }
                    byte = high << 4 | low
                }
                room[length] = byte
                length += 1
            }
            return length
        }
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
