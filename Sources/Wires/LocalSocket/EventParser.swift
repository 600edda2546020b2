/// Parses a stream of server-sent events (WHATWG HTML, section 9.2.6). Ignores `id` and `retry`. No I/O.
///
/// Written here because none of the libraries that this program uses reads such a stream.
struct EventParser {
    /// The most bytes of one event, without the ends of its lines.
    private let longestEvent: Int
    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var name = ""
    private var data: [String] = []
    private var length = 0

    init(longestEvent: Int = 16 * 1024 * 1024) { self.longestEvent = longestEvent }

    /// The events that are complete with these bytes. Throws `tooLarge`.
    mutating func feed(_ bytes: [UInt8]) throws(SocketError) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in bytes {
            // CR, LF, or both together end a line.
            if byte == UInt8(ascii: "\n"), endsWithReturn {
                endsWithReturn = false
                continue
            }
            endsWithReturn = byte == UInt8(ascii: "\r")
            if endsWithReturn || byte == UInt8(ascii: "\n") {
                if let event = takeLine() { events.append(event) }
            } else {
                length += 1
                guard length <= longestEvent else { throw .tooLarge("an event is too large") }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func takeLine() -> StreamEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else {
            defer { (name, data, length) = ("", [], 0) }
            return data.isEmpty
                ? nil : StreamEvent(name: name.isEmpty ? "message" : name, data: data.joined(separator: "\n"))
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A line that starts with a colon is a comment.
        guard colon > 0 else {
            if data.isEmpty, name.isEmpty { length = 0 }
            return nil
        }
        var value = line[colon...].dropFirst()
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value, as: UTF8.self)
        case "data": data.append(String(decoding: value, as: UTF8.self))
        default: break
        }
        return nil
    }
}
