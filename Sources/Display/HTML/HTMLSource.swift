import SCA

/// A page's bytes made ready for the parser, which drops characters that XML forbids and reads some comments otherwise than
/// browsers do. Each change can only bring more to light.
struct HTMLSource {
    let bytes: [UInt8]

    init(_ page: BankText) {
        var made: [UInt8] = []
        made.reserveCapacity(page.untrusted.utf8.count)
        for byte in page.untrusted.utf8 {
            switch byte {
            case 0: made += "\u{FFFD}".utf8
            case 0x09, 0x0A, 0x0D: made.append(byte)
            case 0x0C: made.append(0x20)
            case ..<0x20: made += [0xE2, 0x90, 0x80 + byte]  // the control pictures, U+2400 and on
            case UInt8(ascii: ">"):
                // `<!-->`, `<!--->` and `--!>` end a comment in browsers.
                if made.ends(with: "<!--") {
                    made += "--".utf8
                } else if made.ends(with: "<!---") {
                    made += "-".utf8
                } else if made.ends(with: "--!") {
                    made.removeLast()
                }
                made.append(byte)
            case 0xBE, 0xBF:
                // U+FFFE and U+FFFF.
                made.append(made.suffix(2) == [0xEF, 0xBF] ? 0xBD : byte)
            default: made.append(byte)
            }
        }
        bytes = made
    }

    /// Whether the page ends within a tag, comment, script or style, so that a person would not see the rest.
    var swallowsItsEnd: Bool {
        let tail = bytes[((bytes.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 }) ?? 0)...]
        for (byte, next) in zip(tail, tail.dropFirst()) where byte == UInt8(ascii: "<") {
            if "/!?".utf8.contains(next) || Self.isLetter(next) { return true }
        }
        return [("<!--", "-->"), ("<script", "</script"), ("<style", "</style")].contains { begin, end in
            guard let last = lastIndex(of: begin) else { return false }
            return lastIndex(of: end, from: last) == nil
        }
    }

    /// Where `word` (lower case) stands last, whatever its case, at or after `start`.
    private func lastIndex(of word: String, from start: Int = 0) -> Int? {
        let word = Array(word.utf8)
        return (start..<max(start, bytes.count - word.count + 1)).last { index in
            word.indices.allSatisfy { offset in
                let byte = bytes[index + offset]
                return (Self.isLetter(byte) ? byte | 0x20 : byte) == word[offset]
            }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool {
        count >= text.utf8.count && suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
