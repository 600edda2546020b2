import CTerminal
import Dispatch
import Glibc

/// A key that was pressed on the terminal.
enum Key: Equatable {
    case character(UInt8)
    /// The pasted text, where the terminal marks it; nil for a text longer than any link.
    case pasted(String?)
    case up, down, left, right, pageUp, pageDown, home, end, backTab

    /// Ctrl-c; also stands for a reader of standard output that has gone away.
    static let interrupt = Key.character(3)
    /// Ctrl-z, which stops the job.
    static let suspend = Key.character(26)

    /// Whether it is ctrl-c or ctrl-d, which end the program.
    var isEnd: Bool { self == .interrupt || self == .character(4) }
    var isEnter: Bool { self == .character(10) || self == .character(13) }

    /// The key of an ASCII character.
    init(_ scalar: Unicode.Scalar) { self = .character(UInt8(ascii: scalar)) }

    /// The key of an escape sequence, without the escape (ECMA-48 control sequences, as xterm and others send them);
    /// nil for any other sequence.
    fileprivate init?(sequence: [UInt8]) {
        switch String(decoding: sequence, as: UTF8.self) {
        case "[A", "OA": self = .up
        case "[B", "OB": self = .down
        case "[C", "OC": self = .right
        case "[D", "OD": self = .left
        case "[H", "OH", "[1~", "[7~": self = .home
        case "[F", "OF", "[4~", "[8~": self = .end
        case "[5~": self = .pageUp
        case "[6~": self = .pageDown
        case "[Z": self = .backTab
        default: return nil
        }
    }
}

/// Waits for the first of these: a key, a call of `wake`, a resized terminal, a moment.
final class KeyWait: Sendable {
    private let pipe: Pipe
    private let queue = DispatchQueue(label: "keyWait")

    /// Throws if the system has no pipe left.
    init() throws {
        pipe = try Pipe()
    }

    /// Wakes when the terminal is resized: the handler of SIGWINCH writes to the pipe.
    func tellResizes() { _ = countersign_terminal_tell_resizes(pipe.writer) }

    /// Ends the wait. A full pipe ends it too.
    func wake() { _ = write(pipe.writer, "w", 1) }

    /// Waits, and returns the key that was pressed; nil for anything else. Without `forKeys` it watches standard output
    /// instead: a reader that has gone away counts as ctrl-c. So does an interrupt that came while a decision was on its way.
    func wait(forKeys: Bool, until end: ContinuousClock.Instant) async -> Key? {
        if countersign_interrupted() != 0 { return .interrupt }
        // Waiting blocks, so it runs on a queue of its own.
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.block(forKeys, until: end)) }
        }
    }

    private func block(_ forKeys: Bool, until end: ContinuousClock.Instant) -> Key? {
        let left = ContinuousClock.now.duration(to: end).components
        let milliseconds = Int32(clamping: max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1))
        var sources = [
            pollfd(fd: pipe.reader, events: Int16(POLLIN), revents: 0),
            forKeys
                ? pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                : pollfd(fd: STDOUT_FILENO, events: 0, revents: 0),
        ]
        // The array is lent for the call, with its own count.
        guard poll(&sources, nfds_t(sources.count), milliseconds) > 0 else { return nil }
        if sources[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while read(pipe.reader, &bytes, bytes.count) > 0 {}
        }
        guard sources[1].revents != 0 else { return nil }
        return forKeys ? Self.key() : .interrupt
    }

    /// Reads the next key of standard input; nil for a sequence without a meaning. The end of input counts as ctrl-c.
    static func key() -> Key? {
        guard let byte = byte() else { return .interrupt }
        return byte == 0x1B ? sequence() : .character(byte)
    }

    /// The rest of an escape sequence. Input typed after it is left for the next key.
    private static func sequence() -> Key? {
        var bytes: [UInt8] = []
        var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // A sequence arrives in one piece, or nearly so.
        while bytes.count < 16, bytes != Self.pasteBegins, poll(&more, 1, 20) > 0, let byte = byte() {
            bytes.append(byte)
            let isIntroducer = bytes.count == 1 && (byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O"))
            if !isIntroducer, bytes.count == 1 || (0x40...0x7E).contains(byte) { break }
        }
        return bytes == pasteBegins ? pasted() : Key(sequence: bytes)
    }

    private static let (pasteBegins, pasteEnds) = (Array("[200~".utf8), Array("\u{1B}[201~".utf8))

    /// Reads a paste up to its end mark, or until nothing comes for a while. Reads even a paste that is too long, so that its rest
    /// does not count as keys.
    private static func pasted() -> Key {
        var bytes: [UInt8] = []
        var isWhole = true
        var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while poll(&more, 1, 500) > 0, let byte = byte() {
            bytes.append(byte)
            if bytes.suffix(pasteEnds.count) == pasteEnds[...] {
                return .pasted(isWhole ? String(decoding: bytes.dropLast(pasteEnds.count), as: UTF8.self) : nil)
            }
            if bytes.count > 16384 + pasteEnds.count {
                isWhole = false
                bytes.removeFirst(16384)
            }
        }
        return .pasted(nil)
    }

    private static func byte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            // One byte into a variable of one byte.
            let count = read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            return count == 1 ? byte : nil
        }
    }
}
