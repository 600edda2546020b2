import Glibc
import Cryptography
import Synchronization

/// Standard input, read byte by byte so that no reader takes another's lines: first the PIN, then the link, then a
/// redirected address.
enum StandardInput {
    /// Longer lines are cut to this many bytes, and the rest of them is passed over.
    static let longestLine = 65536

    /// A line that was read too early, and is the next.
    private static let kept = Mutex<String?>(nil)

    /// A link, with the lines that it was broken into if these came with it; the empty text at the end. `isAlone`: each later line has a
    /// meaning of its own.
    static func link(isAlone: Bool = false) -> String {
        var link = line() ?? ""
        if isAlone { return link }
        var more = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !link.isEmpty, link.utf8.count <= 16 * 1024, poll(&more, 1, 0) > 0, let next = line() {
            // The next address, or the end of a text.
            guard !next.isEmpty, !beginsAddress(next) else {
                // An empty line answers no later question.
                if !next.isEmpty { kept.withLock { $0 = next } }
                break
            }
            link += "\n" + next
        }
        return link
    }

    /// Whether a line begins with `scheme://`. The rest of a broken link may have that inside.
    private static func beginsAddress(_ line: String) -> Bool {
        let scheme = line.prefix { $0 != ":" }
        return !scheme.isEmpty && scheme.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
            && line.dropFirst(scheme.count).hasPrefix("://")
    }

    /// The next line without its line break; nil at the end, and if the question that it answers is taken back.
    static func line(unless recall: QuestionRecall? = nil) -> String? {
        let early = kept.withLock { kept in
            defer { kept = nil }
            return kept
        }
        if let early { return early }
        var bytes: [UInt8] = []
        var ended = false
        while true {
            guard recall?.awaitInput(of: STDIN_FILENO) != false, let byte = byte() else {
                ended = true
                break
            }
            if byte == 10 { break }
            if bytes.count < longestLine { bytes.append(byte) }
        }
        if bytes.isEmpty, ended { return nil }
        if bytes.count < longestLine, bytes.last == 13 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The next line as a secret; nil at the end, or if it is empty.
    static func secret() throws -> LockedBytes? {
        try SecretLine.read(from: STDIN_FILENO)
    }

    static func byte() -> UInt8? {
        var byte: UInt8 = 0
        while true {
            // One byte into a variable of one byte.
            let count = read(STDIN_FILENO, &byte, 1)
            if count == 1 { return byte }
            if count < 0, errno == EINTR { continue }
            return nil
        }
    }
}
