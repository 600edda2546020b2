/// Cuts a page's source into tokens (WHATWG HTML, section 13.2.5). Markup in an unusual form counts as text. Takes
/// linear time: each byte is looked at a bounded number of times.
///
/// Written here because parsers such as libxml2 repair a page as browsers do: they drop and move source without saying
/// so. A card must account for every byte.
struct HTMLScanner {
    private let bytes: [UInt8]
    private var index = 0
    private var textStart = 0
    private(set) var tokens: [HTMLToken] = []

    /// All tokens of a source in UTF-8.
    static func tokens(of bytes: [UInt8]) -> [HTMLToken] {
        var scanner = HTMLScanner(bytes)
        scanner.run()
        return scanner.tokens
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private enum Step {
        /// A token that ends before this index.
        case token(HTMLToken.Kind, end: Int)
        /// The bracket is a character like any other.
        case text
        /// The construct never ends.
        case unread
    }

    /// The most tokens that are read of a page. The source of the rest is shown as it is.
    static let mostTokens = 60_000

    private mutating func run() {
        while index < bytes.count {
            guard tokens.count < Self.mostTokens else { return add(.unread, end: bytes.count) }
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            switch step(at: index) {
            case .text: index += 1
            case .unread:
                add(.unread, end: bytes.count)
                return
            case .token(let kind, let end):
                add(kind, end: end)
                if case .start(let name, _) = kind, !readContent(of: name) { return }
            }
        }
        flushText()
    }

    private mutating func add(_ kind: HTMLToken.Kind, end: Int) {
        flushText()
        tokens.append(HTMLToken(kind: kind, range: index..<end))
        index = end
        textStart = end
    }

    private mutating func flushText() {
        if textStart < index { tokens.append(HTMLToken(kind: .text, range: textStart..<index)) }
    }

    /// Reads the content of an element that cannot contain tags. Returns false when its end tag is missing; then the
    /// rest of the source is `unread`.
    private mutating func readContent(of name: String) -> Bool {
        let isRaw = HTMLNames.raw.contains(name)
        guard isRaw || HTMLNames.textOnly.contains(name) else { return true }
        guard let end = endTag(of: name) else {
            if index < bytes.count { add(.unread, end: bytes.count) }
            return false
        }
        if index < end { add(isRaw ? .rawText : .text, end: end) }
        return true
    }

    /// Where the next end tag `</name` begins; nil when there is none.
    private func endTag(of name: String) -> Int? {
        let name = Array(name.utf8)
        var start = index
        while start + name.count + 2 < bytes.count {
            if bytes[start] == UInt8(ascii: "<"), bytes[start + 1] == UInt8(ascii: "/"),
                name.indices.allSatisfy({ Self.lower(bytes[start + 2 + $0]) == name[$0] }),
                Self.endsName(bytes[start + 2 + name.count])
            {
                return start
            }
            start += 1
        }
        return nil
    }

    // MARK: One construct

    private func step(at start: Int) -> Step {
        guard start + 1 < bytes.count else { return .text }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"): return declaration(at: start)
        case UInt8(ascii: "?"): return bracketed(from: start)
        case UInt8(ascii: "/"): return endTag(at: start)
        case let byte where Self.isLetter(byte): return startTag(at: start)
        default: return .text
        }
    }

    private func bracketed(from start: Int) -> Step {
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: ">")) else { return .unread }
        return .token(.markup, end: end + 1)
    }

    private func declaration(at start: Int) -> Step {
        let dash = UInt8(ascii: "-")
        guard start + 3 < bytes.count, bytes[start + 2] == dash, bytes[start + 3] == dash else {
            return bracketed(from: start)
        }
        // `<!-->` and `<!--->` are whole comments; any other ends with `-->` or `--!>`.
        var next = start + 4
        if next < bytes.count, bytes[next] == UInt8(ascii: ">") { return .token(.markup, end: next + 1) }
        if next + 1 < bytes.count, bytes[next] == dash, bytes[next + 1] == UInt8(ascii: ">") {
            return .token(.markup, end: next + 2)
        }
        while next + 2 < bytes.count {
            if bytes[next] == dash, bytes[next + 1] == dash {
                if bytes[next + 2] == UInt8(ascii: ">") { return .token(.markup, end: next + 3) }
                if bytes[next + 2] == UInt8(ascii: "!"), next + 3 < bytes.count, bytes[next + 3] == UInt8(ascii: ">") {
                    return .token(.markup, end: next + 4)
                }
            }
            next += 1
        }
        return .unread
    }

    private func endTag(at start: Int) -> Step {
        let (name, end) = name(at: start + 2)
        guard HTMLNames.known.contains(name) else { return .text }
        let close = skipSpace(from: end)
        guard close < bytes.count, bytes[close] == UInt8(ascii: ">") else { return .text }
        return .token(.end(name: name), end: close + 1)
    }

    private func startTag(at start: Int) -> Step {
        let (name, end) = name(at: start + 1)
        guard HTMLNames.known.contains(name) else { return .text }
        var attributes: [HTMLAttribute] = []
        var index = end
        while true {
            index = skipSpace(from: index)
            guard index < bytes.count else { return .unread }
            if bytes[index] == UInt8(ascii: ">") { break }
            if bytes[index] == UInt8(ascii: "/"), index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: ">") {
                index += 1
                break
            }
            guard let attribute = attribute(at: index) else { return .unread }
            attributes.append(attribute)
            index = attribute.source.upperBound
        }
        return .token(.start(name: name, attributes: attributes), end: index + 1)
    }

    /// Reads an attribute; nil when its quotes never end.
    private func attribute(at start: Int) -> HTMLAttribute? {
        var index = start
        if bytes[index] == UInt8(ascii: "/") {
            return HTMLAttribute(name: "/", value: nil, source: start..<start + 1, isPlain: false)
        }
        repeat { index += 1 } while index < bytes.count && !Self.endsAttributeName(bytes[index])
        let nameEnd = index
        let name = String(decoding: bytes[start..<nameEnd].map(Self.lower), as: UTF8.self)
        let isName = bytes[start..<nameEnd].allSatisfy { Self.isLetter($0) || $0 == UInt8(ascii: "-") }
        let equals = skipSpace(from: nameEnd)
        guard equals < bytes.count, bytes[equals] == UInt8(ascii: "=") else {
            return HTMLAttribute(name: name, value: nil, source: start..<nameEnd, isPlain: isName)
        }
        let valueStart = skipSpace(from: equals + 1)
        guard valueStart < bytes.count else { return nil }
        let isPlain = isName && equals == nameEnd && valueStart == equals + 1
        let quote = bytes[valueStart]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard let end = bytes[(valueStart + 1)...].firstIndex(of: quote) else { return nil }
            return HTMLAttribute(
                name: name, value: String(decoding: bytes[(valueStart + 1)..<end], as: UTF8.self),
                source: start..<end + 1, isPlain: isPlain)
        }
        var end = valueStart
        while end < bytes.count, !Self.isSpace(bytes[end]), bytes[end] != UInt8(ascii: ">") { end += 1 }
        return HTMLAttribute(
            name: name, value: String(decoding: bytes[valueStart..<end], as: UTF8.self), source: start..<end,
            isPlain: isPlain && end > valueStart)
    }

    // MARK: Characters

    /// The name of a tag that begins at `start`, in lower case; empty when no name of letters and digits stands there.
    private func name(at start: Int) -> (name: String, end: Int) {
        var end = start
        while end < bytes.count, end - start < 16, Self.isLetter(bytes[end]) || Self.isDigit(bytes[end]) { end += 1 }
        guard end < bytes.count, Self.endsName(bytes[end]) else { return ("", end) }
        return (String(decoding: bytes[start..<end].map(Self.lower), as: UTF8.self), end)
    }

    private func skipSpace(from start: Int) -> Int {
        var index = start
        while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
        return index
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private static func endsAttributeName(_ byte: UInt8) -> Bool {
        endsName(byte) || byte == UInt8(ascii: "=")
    }

    /// White space in the sense of HTML.
    static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: true
        default: false
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
