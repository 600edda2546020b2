import Cryptography

/// One line of the server.
enum AssuanReply {
    case ok
    /// The number of an `ERR` line; 0 where there is none.
    case error(UInt32)
    /// The data of a `D` line, unescaped.
    case data(LockedBytes)
    case inquiry
    /// A status line, a comment or an empty line, which needs no answer.
    case note

    /// Reads a line without its line feed. Throws `PinentryError` `malformed`.
    init(_ line: Slice<UnsafeRawBufferPointer>) throws {
        let word = line.prefix { $0 != UInt8(ascii: " ") }
        let rest = line.dropFirst(word.count + 1)
        switch true {
        case line.isEmpty, line.first == UInt8(ascii: "#"), Self.same(word, "S"): self = .note
        case Self.same(word, "OK"): self = .ok
        case Self.same(word, "D"): self = .data(try AssuanText.unescape(rest))
        case Self.same(word, "INQUIRE"): self = .inquiry
        case Self.same(word, "ERR"):
            let digits = rest.prefix { $0 != UInt8(ascii: " ") }
            self = .error(UInt32(String(decoding: digits, as: UTF8.self)) ?? 0)
        default: throw PinentryError.malformed("an unknown answer")
        }
    }

    private static func same(_ word: Slice<UnsafeRawBufferPointer>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { word.elementsEqual($0) }
    }
}
