/// Parses HTTP/1.1 answers (RFC 9112), as strictly as our agent writes them: every line ends with CR LF, and one
/// `Content-Length` or chunks give the length of a body. No I/O.
///
/// Written here because swift-nio's parser works only in a channel of an event loop, and `LocalClient` has none.
struct AnswerParser {
    struct Head: Equatable {
        var status: Int
        var headers: [Header]

        func values(_ name: String) -> [String] { headers.filter { $0.name == name }.map(\.value) }
    }

    struct Header: Equatable {
        /// Names in lower case.
        var name: String
        var value: String
    }

    enum Part: Equatable {
        case head(Head)
        case body([UInt8])
        case end
    }

    private enum State {
        case head
        case counted(left: Int)
        case chunkSize
        case chunk(left: Int)
        case chunkEnd
        case trailers
        case end
    }

    /// The most bytes that a head, the trailers, or the line with a chunk's size may have.
    static let longestHead = 64 * 1024
    /// The most bytes that a `Content-Length` or a chunk may name.
    static let longestPart = 1 << 30

    private var state = State.head
    private var bytes: [UInt8] = []
    /// How many of `bytes`, from the first on, are known to hold no end of a line.
    private var scanned = 0
    /// The complete lines of the head that is being read.
    private var lines: [[UInt8]] = []
    private var headLength = 0

    /// Whether every byte that was fed has been used.
    var isEmpty: Bool { bytes.isEmpty && lines.isEmpty }

    mutating func feed(_ more: [UInt8]) { bytes += more }

    /// The next part; nil when it needs more bytes. Throws `malformed`, `tooLarge`.
    mutating func next() throws(SocketError) -> Part? {
        while true {
            switch state {
            case .head:
                guard let lines = try section() else { return nil }
                let head = try Self.head(lines)
                // The final answer follows an interim one.
                if (100..<200).contains(head.status) { continue }
                state = try Self.body(after: head)
                return .head(head)
            case .counted(let left):
                guard left > 0 else {
                    state = .end
                    continue
                }
                guard let part = take(atMost: left) else { return nil }
                state = .counted(left: left - part.count)
                return .body(part)
            case .chunkSize:
                guard let line = try line() else { return nil }
                headLength = 0
                let size = try Self.size(line)
                state = size == 0 ? .trailers : .chunk(left: size)
            case .chunk(let left):
                guard left > 0 else {
                    state = .chunkEnd
                    continue
                }
                guard let part = take(atMost: left) else { return nil }
                state = .chunk(left: left - part.count)
                return .body(part)
            case .chunkEnd:
                guard let line = try line() else { return nil }
                headLength = 0
                guard line.isEmpty else { throw .malformed("a chunk is longer than it says") }
                state = .chunkSize
            case .trailers:
                guard try section() != nil else { return nil }
                state = .end
            case .end:
                state = .head
                return .end
            }
        }
    }

    private mutating func take(atMost limit: Int) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        if bytes.count <= limit {
            defer { bytes = [] }
            return bytes
        }
        defer { bytes.removeFirst(limit) }
        return Array(bytes.prefix(limit))
    }

    /// The lines up to the empty one that ends them.
    private mutating func section() throws(SocketError) -> [[UInt8]]? {
        while let line = try line() {
            if line.isEmpty {
                defer { (lines, headLength) = ([], 0) }
                return lines
            }
            lines.append(line)
        }
        return nil
    }

    private mutating func line() throws(SocketError) -> [UInt8]? {
        guard let end = bytes[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = bytes.count
            guard headLength + bytes.count <= Self.longestHead else { throw Self.tooLong }
            return nil
        }
        scanned = 0
        headLength += end + 1
        guard headLength <= Self.longestHead else { throw Self.tooLong }
        guard end > 0, bytes[end - 1] == UInt8(ascii: "\r") else { throw .malformed("a line that ends without CR LF") }
        let line = Array(bytes[..<(end - 1)])
        bytes.removeFirst(end + 1)
        // Tabs may stand in values; no other control character may.
        guard line.allSatisfy({ $0 == 9 || $0 >= 32 && $0 != 127 }) else { throw .malformed("a control character") }
        return line
    }

    private static let tooLong = SocketError.tooLarge("the agent's answer has too long a head")

    private static func head(_ lines: [[UInt8]]) throws(SocketError) -> Head {
        guard let first = lines.first else { throw .malformed("no status line") }
        let status = String(decoding: first, as: UTF8.self)
        let digits = status.dropFirst(9).prefix(3)
        guard status.hasPrefix("HTTP/1.1 "), digits.utf8.count == 3, let code = number(digits, radix: 10), code >= 100,
            status.utf8.count == 12 || status.utf8.dropFirst(12).first == UInt8(ascii: " ")
        else { throw .malformed("no status line") }
        var headers: [Header] = []
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0, line[..<colon].allSatisfy(isToken)
            else {
                throw .malformed("a header without a name")
            }
            let value = line[(colon + 1)...].trimming { $0 == 32 || $0 == 9 }
            headers.append(
                Header(
                    name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
                    value: String(decoding: value, as: UTF8.self)))
        }
        return Head(status: code, headers: headers)
    }

    /// Where the body ends (RFC 9112 section 6.3). Two lengths, or one given twice, could make one answer look like
    /// two.
    private static func body(after head: Head) throws(SocketError) -> State {
        let (lengths, codings) = (head.values("content-length"), head.values("transfer-encoding"))
        if head.status == 204 || head.status == 304 { return .end }
        switch (lengths.count, codings.count) {
        case (1, 0):
            guard let length = number(lengths[0], radix: 10) else { throw .malformed("a body of no length") }
            guard length <= longestPart else { throw .tooLarge("the agent's answer is too large") }
            return .counted(left: length)
        case (0, 1):
            guard codings[0].lowercased() == "chunked" else { throw .malformed("an unknown transfer coding") }
            return .chunkSize
        default: throw .malformed("the body's length is not given exactly once")
        }
    }

    /// The size of a chunk. Ignores extensions behind it.
    private static func size(_ line: [UInt8]) throws(SocketError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") }.trimming { $0 == 32 || $0 == 9 }
        guard let size = number(String(decoding: digits, as: UTF8.self), radix: 16) else {
            throw .malformed("a chunk of no size")
        }
        guard size <= longestPart else { throw .tooLarge("the agent's answer is too large") }
        return size
    }

    /// A number of digits without a sign; at most 15, so that nothing overflows.
    private static func number(_ text: some StringProtocol, radix: Int) -> Int? {
        guard (1...15).contains(text.utf8.count), text.first != "+", text.first != "-" else { return nil }
        return Int(text, radix: radix)
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func trimming(_ isBlank: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var rest = drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }
}
