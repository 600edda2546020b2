/// A text in pieces, each small enough for one label. Pango counts in 1024ths of a pixel with 32 bits, so a label that is higher than two
/// million pixels has a wrong height.
package enum TextPieces {
    private static let mostLines = 500
    private static let mostCharacters = 10_000

    /// Each piece begins a line. A line that is too long alone goes on in the next piece, as if it wrapped there.
    package static func of(_ text: String) -> [String] {
        var pieces: [[Substring]] = [[]]
        var characters = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).flatMap(parts) {
            let count = line.count
            let last = pieces.count - 1
            let isFull = pieces[last].count >= mostLines || characters + count > mostCharacters
            if isFull, !pieces[last].isEmpty {
                pieces.append([line])
                characters = count
            } else {
                pieces[last].append(line)
                characters += count
            }
        }
        // An empty label has no text for assistive technology, so an empty last line stays with the lines before.
        if pieces.count > 1, let last = pieces.last, last.allSatisfy(\.isEmpty) {
            pieces.removeLast()
            pieces[pieces.count - 1] += last
        }
        return pieces.map { $0.joined(separator: "\n") }
    }

    private static func parts(of line: Substring) -> [Substring] {
        var (parts, rest) = ([Substring](), line)
        repeat {
            parts.append(rest.prefix(mostCharacters))
            rest = rest.dropFirst(mostCharacters)
        } while !rest.isEmpty
        return parts
    }
}
