import Testing
import WindowModel

@Test(arguments: ["", "one line", "two\nlines", "\n\nblank\n\n", String(repeating: "word ", count: 1000)])
func aShortTextIsOnePiece(_ text: String) {
    #expect(TextPieces.of(text) == [text])
}

@Test func manyLinesAreSeveralPieces() {
    let text = (0..<110_000).map { "line \($0)" }.joined(separator: "\n")
    let pieces = TextPieces.of(text)
    #expect(pieces.joined(separator: "\n") == text)
    #expect(pieces.allSatisfy { $0.split(separator: "\n", omittingEmptySubsequences: false).count <= 500 })
}

@Test func aLongLineIsBrokenBetweenCharacters() {
    let text = String(repeating: "e\u{301}x", count: 20_000)
    let pieces = TextPieces.of(text)
    #expect(pieces.joined() == text && pieces.map(\.count) == [10_000, 10_000, 10_000, 10_000])
}

@Test func noPieceIsEmpty() {
    let text = String(repeating: "a\n", count: 500)
    #expect(TextPieces.of(text) == [text])
}
