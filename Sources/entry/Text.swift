import CEntry

/// Text as bytes: comparing a `String` takes tables of Unicode, which no word here needs.
enum Text {
    /// The words of the command line.
    static var arguments: [[UInt8]] {
        var words: [[UInt8]] = []
        // The list ends with null.
        while let word = countersign_entry_arguments()[words.count] { words.append(bytes(at: word)) }
        return words
    }

    /// A variable of the environment; nil if it is empty or not set.
    static func variable(_ name: StaticString) -> [UInt8]? {
        guard let value = withPath(bytes(name), { getenv($0) }), value.pointee != 0 else { return nil }
        return bytes(at: value)
    }

    static func bytes(_ text: StaticString) -> [UInt8] {
        // A text of this program, which lives as long as the process.
        Array(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The bytes of a C string, without the zero at its end.
    static func bytes(at start: UnsafePointer<CChar>) -> [UInt8] {
        // As many as the string has.
        Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }

    /// Calls `body` with the path as a C string.
    static func withPath<R>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> R) -> R {
        let string = path.map { CChar(bitPattern: $0) } + [0]
        return string.withUnsafeBufferPointer { buffer in
            // The buffer holds a zero at least, and lives through the call.
            body(buffer.baseAddress!)
        }
    }

    static func equals(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        bytes.elementsEqual(Self.bytes(text))
    }

    static func ends(_ bytes: some BidirectionalCollection<UInt8>, with text: StaticString) -> Bool {
        bytes.suffix(text.utf8CodeUnitCount).elementsEqual(Self.bytes(text))
    }

    static func begins(_ bytes: ArraySlice<UInt8>, with text: StaticString) -> Bool {
        bytes.starts(with: Self.bytes(text))
    }

    /// The index of the first place where the text stands.
    static func find(_ text: StaticString, in bytes: ArraySlice<UInt8>) -> Int? {
        let text = Self.bytes(text)
        guard bytes.count >= text.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - text.count)).first { bytes[$0...].starts(with: text) }
    }

    /// A number of at most 9 digits.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...9).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard digit >= 48, digit <= 57 else { return nil }
            number = number * 10 + Int(digit - 48)
        }
        return number
    }

    /// The digits of a number that is not negative.
    static func digits(_ number: Int) -> [UInt8] {
        number < 10 ? [UInt8(48 + number)] : digits(number / 10) + [UInt8(48 + number % 10)]
    }

    /// All but letters, digits and `-._~` as `%` and two digits (RFC 3986 section 2.1).
    static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
        let digits = Self.bytes("0123456789ABCDEF")
        var text: [UInt8] = []
        for byte in bytes {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return text
    }

    /// Whether a character of ASCII stands for itself in JSON.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 32 && byte < 127 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    static func lower(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte + 32 : byte }
}
