import CEntry

/// A connection to the agent, for one question.
struct Agent: ~Copyable {
    /// The longest head and the longest body of an answer, in bytes. Longer answers are left to the program proper.
    private static let (longestHead, longestBody) = (1 << 14, 1 << 20)
    /// How long the whole exchange may take, in milliseconds. An agent takes about one.
    private static let patience: Int64 = 2000

    private let socket: Int32
    private let deadline = countersign_entry_milliseconds() + patience

    /// Nil if nobody of this user listens there.
    init?(at place: Place) {
        socket = Text.withPath(place.socket) { countersign_entry_connect($0, 2) }
        guard socket >= 0 else { return nil }
    }

    deinit { close(socket) }

    /// The lines to print. Nil if the agent has nothing ready, or answers in another way than is known here. `holder`: the process that
    /// holds the home's lock.
    func answer(to question: Question, of holder: Int32) -> [ArraySlice<UInt8>]? {
        let body = question.json(of: holder)
        var request = Text.bytes("POST /ready HTTP/1.1\r\nhost: countersign\r\ncontent-type: application/json\r\n")
        request += Self.headers
        request += Text.bytes("content-length: ") + Text.digits(body.count) + Text.bytes("\r\n\r\n") + body
        return send(request) ? receive().flatMap(Self.lines) : nil
    }

    /// Facts that the agent cannot see from outside (`CallerContext`): the person's display, and whether they could be
    /// asked something. The agent counts only a request with them as use by the person. The program proper judges
    /// alike, if the settings do not say otherwise (`pin_prompt`).
    private static var headers: [UInt8] {
        var headers: [UInt8] = []
        var hasDisplay = false
        let variables: [(name: StaticString, variable: StaticString)] = [
            ("countersign-display", "DISPLAY"), ("countersign-wayland-display", "WAYLAND_DISPLAY"),
            ("countersign-xauthority", "XAUTHORITY"),
        ]
        for (index, (name, variable)) in variables.enumerated() {
            guard let value = Text.variable(variable), value.count <= 1024, value.allSatisfy({ $0 >= 32 && $0 != 127 })
            else { continue }
            headers += Text.bytes(name) + Text.bytes(": ") + Text.percentEncoded(value) + Text.bytes("\r\n")
            hasDisplay = hasDisplay || index < 2
        }
        if !hasDisplay, isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0 {
            headers += Text.bytes("countersign-no-input: 1\r\n")
        }
        return headers
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { countersign_entry_send(socket, $0.baseAddress, $0.count, deadline) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The body of an answer of status 200 with a known length (RFC 9112).
    private func receive() -> ArraySlice<UInt8>? {
        var all: [UInt8] = []
        var end: Int?
        while end == nil {
            let seen = max(0, all.count - 3)
            guard all.count <= Self.longestHead, receive(into: &all) else { return nil }
            end = Text.find("\r\n\r\n", in: all[seen...])
        }
        guard let end, Text.begins(all[..<end], with: "HTTP/1.1 200"), let length = Self.length(in: all[..<end]),
            length <= Self.longestBody
        else { return nil }
        while all.count - end - 4 < length { guard receive(into: &all) else { return nil } }
        let body = all[(end + 4)...]
        return body.count == length ? body : nil
    }

    /// Returns false if no more comes.
    private func receive(into all: inout [UInt8]) -> Bool {
        var part = [UInt8](repeating: 0, count: 8192)
        let count = part.withUnsafeMutableBytes {
            countersign_entry_receive(socket, $0.baseAddress, $0.count, deadline)
        }
        guard count > 0 else { return false }
        all += part[..<count]
        return true
    }

    private static func length(in head: ArraySlice<UInt8>) -> Int? {
        var found: Int?
        for line in head.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                Text.equals(line[..<colon].map(Text.lower), "content-length")
            else { continue }
            let value = line[(colon + 1)...].drop { $0 == 32 }
            guard found == nil, let number = Text.number(value.last == 13 ? value.dropLast() : value) else {
                return nil
            }
            found = number
        }
        return found
    }

    /// Reads `{"lines":["…"]}` as our agent writes it. Nil for any other form, without a line, and for text with
    /// escapes.
    private static func lines(of json: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
        let (start, end): (StaticString, StaticString) = ("{\"lines\":[\"", "\"]}")
        guard Text.begins(json, with: start), Text.ends(json, with: end),
            json.count > start.utf8CodeUnitCount + end.utf8CodeUnitCount
        else { return nil }
        var lines: [ArraySlice<UInt8>] = []
        var rest = json.dropFirst(start.utf8CodeUnitCount).dropLast(end.utf8CodeUnitCount)
        while let next = Text.find("\",\"", in: rest) {
            lines.append(rest[..<next])
            rest = rest[(next + 3)...]
        }
        lines.append(rest)
        return lines.allSatisfy { !$0.isEmpty && $0.allSatisfy(Text.isPlain) } ? lines : nil
    }
}
