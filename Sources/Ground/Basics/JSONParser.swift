/// Parses one JSON text strictly (RFC 8259). Each function returns nil for a fault, and the whole parse is then over.
struct JSONParser {
    private static let deepest = 512

    private let bytes: [UInt8]
    private let keepsFaults: Bool
    private var index = 0
    private var depth = 0

    init(_ bytes: [UInt8], keepingFaults: Bool) {
        self.bytes = bytes
        keepsFaults = keepingFaults
    }

    mutating func whole() -> JSON? {
        // A byte order mark may be ignored (RFC 8259 section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = value()
        return index == bytes.count ? value : nil
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Skips this byte if it is the next one.
    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
    }

    /// A value and the white space around it.
    private mutating func value() -> JSON? {
        skipSpace()
        let start = index
        guard let kind = kind() ?? unreadable(from: start) else { return nil }
        let source = bytes[start..<index]
        skipSpace()
        return JSON(kind, source: source)
    }

    private mutating func kind() -> JSON.Kind? {
        switch next {
        case UInt8(ascii: "{"): object()
        case UInt8(ascii: "["): array()
        case UInt8(ascii: "\""): text().map { .text($0) }
        case UInt8(ascii: "t"): word("true", .bool(true))
        case UInt8(ascii: "f"): word("false", .bool(false))
        case UInt8(ascii: "n"): word("null", .null)
        default: number().map { .number($0) }
        }
    }

    /// Skips a faulty text up to the quote that ends it, or a faulty number. Nil for any other fault.
    private mutating func unreadable(from start: Int) -> JSON.Kind? {
        guard keepsFaults, start < bytes.count else { return nil }
        index = start
        if take("\"") {
            while let byte = next {
                index += byte == UInt8(ascii: "\\") ? 2 : 1
                if byte == UInt8(ascii: "\"") { return .unreadable }
            }
            return nil
        }
        guard bytes[start] == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start]) else {
            return nil
        }
        while let byte = next, Self.ofNumbers.contains(byte) { index += 1 }
        return .unreadable
    }

    private mutating func word(_ word: StaticString, _ kind: JSON.Kind) -> JSON.Kind? {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual("\(word)".utf8) else { return nil }
        index = end
        return kind
    }

    private mutating func object() -> JSON.Kind? {
        var members = JSON.Members()
        let isWhole = list(until: "}") { parser in
            parser.skipSpace()
            guard let name = parser.text() else { return false }
            parser.skipSpace()
            guard parser.take(":"), let value = parser.value() else { return false }
            members.add(name, value)
            return true
        }
        return isWhole ? .object(members) : nil
    }

    private mutating func array() -> JSON.Kind? {
        var values: [JSON] = []
        let isWhole = list(until: "]") { parser in
            guard let value = parser.value() else { return false }
            values.append(value)
            return true
        }
        return isWhole ? .array(values) : nil
    }

    /// From an opening bracket to the closing one. `element` parses one element and returns whether it is good.
    private mutating func list(until end: Unicode.Scalar, _ element: (inout JSONParser) -> Bool) -> Bool {
        guard depth < Self.deepest else { return false }
        depth += 1
        defer { depth -= 1 }
        index += 1
        skipSpace()
        if take(end) { return true }
        repeat { guard element(&self) else { return false } } while take(",")
        return take(end)
    }

    private mutating func number() -> String? {
        let start = index
        _ = take("-")
        if !take("0"), !takeDigits() { return nil }
        if take("."), !takeDigits() { return nil }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            if !takeDigits() { return nil }
        }
        if let byte = next, Self.ofNumbers.contains(byte) { return nil }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static let ofNumbers = Array("0123456789.eE+-".utf8)

    /// False if there is no digit.
    private mutating func takeDigits() -> Bool {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        let start = index
        while let byte = next, byte >= 0x20 {
            if take("\"") { return String(validating: bytes[start..<index - 1], as: UTF8.self) }
            if byte == UInt8(ascii: "\\") { return escapedText(bytes[start..<index]) }
            index += 1
        }
        return nil
    }

    /// The text from its first escape on. `units` is the part before it.
    private mutating func escapedText(_ units: ArraySlice<UInt8>) -> String? {
        var units = Array(units)
        while let byte = next, byte >= 0x20 {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                units += Array(String(scalar).utf8)
            default: units.append(byte)
            }
        }
        return nil
    }

    /// The scalar that stands after a backslash.
    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        index += 1
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "/": return Unicode.Scalar(byte)
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            guard let first = hexDigits() else { return nil }
            guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
            guard take("\\"), take("u"), let second = hexDigits(), UTF16.isTrailSurrogate(second) else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([first, second]))
        default: return nil
        }
    }

    private mutating func hexDigits() -> UInt16? {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
            index += 1
        }
        return unit
    }
}
