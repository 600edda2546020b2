/// Base64: the standard alphabet (RFC 4648 section 4) and the URL alphabet (RFC 4648 section 5).
///
/// Written here because Foundation's decoder accepts a last character with bits to spare, so that two texts would stand
/// for the same bytes, and does not read the URL alphabet mixed with the other.
package enum Base64 {
    private static let standard = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let url = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    private static let standardValues = values(of: [standard])
    private static let lenientValues = values(of: [standard, url])
    private static let pad = UInt8(ascii: "=")

    /// Standard alphabet, padded, one line.
    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, standard, padded: true) }

    /// URL alphabet, no padding.
    package static func encodeURL(_ bytes: [UInt8]) -> String { encode(bytes, url, padded: false) }

    /// Standard alphabet; ASCII white space anywhere is skipped, padding is required. Nil for any other character, for
    /// a text that was cut off, and for one whose last character has bits to spare.
    package static func decode(_ text: String) -> [UInt8]? { decode(text, standardValues, padded: true) }

    /// As `decode`, for either alphabet or both mixed, with or without padding (saltedge-v2 section 4.4).
    package static func decodeLenient(_ text: String) -> [UInt8]? { decode(text, lenientValues, padded: false) }

    private static func encode(_ bytes: [UInt8], _ alphabet: [UInt8], padded: Bool) -> String {
        // Four characters hold three bytes. The capacity is that of the padded text, and no more than that is written.
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var count = 0
            func write(_ character: UInt8) {
                text.initializeElement(at: count, to: character)
                count += 1
            }
            var bits: UInt32 = 0
            var held: UInt32 = 0
            for byte in bytes {
                bits = bits << 8 | UInt32(byte)
                held += 8
                while held >= 6 {
                    held -= 6
                    write(alphabet[Int(bits >> held & 63)])
                }
            }
            if held > 0 { write(alphabet[Int(bits << (6 - held) & 63)]) }
            while padded, count % 4 != 0 { write(pad) }
            return count
        }
    }

    private static func decode(_ text: String, _ values: [UInt8], padded: Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var held = 0
        var digits = 0
        var pads = 0
        for character in text.utf8 {
            let value = values[Int(character)]
            switch value {
            case skip: continue
            case foreign:
                guard character == pad else { return nil }
                pads += 1
            default:
                guard pads == 0 else { return nil }
                digits += 1
                bits = bits << 6 | UInt32(value)
                held += 6
                if held >= 8 {
                    held -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
                }
            }
        }
        let wantedPads = (4 - digits % 4) % 4
        guard digits % 4 != 1, bits & (1 << UInt32(held) - 1) == 0, pads == wantedPads || (!padded && pads == 0) else {
            return nil
        }
        return bytes
    }

    private static let skip: UInt8 = 0xfe
    private static let foreign: UInt8 = 0xff

    /// The value of each of the 256 bytes.
    private static func values(of alphabets: [[UInt8]]) -> [UInt8] {
        var values = [UInt8](repeating: foreign, count: 256)
        for alphabet in alphabets {
            for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        }
        for character in " \t\n\u{b}\u{c}\r".utf8 { values[Int(character)] = skip }
        return values
    }
}
