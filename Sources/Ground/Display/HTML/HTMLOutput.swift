/// The text of a page while it is being written: the page's own words, in which white space collapses, and words of
/// this program.
struct HTMLOutput {
    private(set) var bytes: [UInt8] = []
    /// Where words of this program stand that a page cannot write (`[hidden: …]`).
    private var own: [Range<Int>] = []
    private var breaks = 0
    private var space = false
    /// Something that belongs before text (`- `, ` | `) was just written: no line may break there.
    private(set) var isFresh = false
    var preformatted = 0
    var indentation = 0
    /// The beginning of the page's own words, to judge whether there is anything to read.
    private(set) var words: [UInt8] = []

    var isEmpty: Bool { bytes.isEmpty }

    var text: DisplayText {
        var visible = VisibleText()
        var index = 0
        for range in own {
            visible.append(String(decoding: bytes[index..<range.lowerBound], as: UTF8.self))
            visible.append(own: String(decoding: bytes[range], as: UTF8.self))
            index = range.upperBound
        }
        visible.append(String(decoding: bytes[index...], as: UTF8.self))
        return DisplayText(visible)
    }

    /// Writes a byte of the page. White space collapses outside of preformatted text.
    mutating func write(_ byte: UInt8) {
        if HTMLScanner.isSpace(byte), preformatted == 0 {
            space = !isFresh
            return
        }
        if !HTMLScanner.isSpace(byte), words.count < 4096 { words.append(byte) }
        begin()
        bytes.append(byte)
    }

    /// Writes words of this program that a page could write as well.
    mutating func put(_ text: String) {
        begin()
        bytes += text.utf8
    }

    /// Writes words of this program that belong before the next word, such as `- `: no line may break behind them.
    mutating func open(_ text: String) {
        put(text)
        isFresh = true
    }

    /// Writes words that only this program can write.
    mutating func put(own text: String) {
        begin()
        own.append(bytes.count..<bytes.count + text.utf8.count)
        bytes += text.utf8
    }

    /// Hidden source of up to this many characters is shown whole; of longer source the first `shownOfLong` are shown.
    static let longestHidden = 1000
    private static let shownOfLong = 700

    /// Writes source that would not be seen into one line: `[hidden: …]`. Brackets in it become escapes, so that they
    /// cannot end the mark. Returns false when it was too long to be shown whole.
    @discardableResult
    mutating func hide(_ source: String) -> Bool {
        let scalars = source.unicodeScalars
        let count = scalars.count
        put(own: "[hidden: ")
        for scalar in count > Self.longestHidden ? scalars.prefix(Self.shownOfLong) : scalars[...] {
            switch scalar {
            case "[": put(own: "⟨U+005B⟩")
            case "]": put(own: "⟨U+005D⟩")
            case "\n", "\r", "\t", "\u{C}": bytes.append(UInt8(ascii: " "))
            default: bytes += String(Character(scalar)).utf8
            }
        }
        if count > Self.longestHidden {
            put(own: "… (\(count) characters, of which these are the first \(Self.shownOfLong))")
        }
        put(own: "]")
        return count <= Self.longestHidden
    }

    mutating func addSpace() { if !isFresh { space = true } }

    /// Ends the line; a `count` of two makes a blank line. Does nothing right behind words that belong before text.
    mutating func endLine(_ count: Int) {
        if !isFresh { breaks = max(breaks, count) }
    }

    /// Ends the line, also behind words that belong before text.
    mutating func endLineAnyway(_ count: Int) {
        isFresh = false
        endLine(count)
    }

    mutating func breakLine() { breaks += 1 }

    /// Keeps the next word on this line.
    mutating func stay() {
        breaks = 0
        space = false
    }

    mutating func hold() { isFresh = true }

    /// Writes the line ends or the space that were held back.
    private mutating func begin() {
        if breaks > 0 {
            if !bytes.isEmpty { bytes += repeatElement(UInt8(ascii: "\n"), count: min(breaks, 2)) }
            bytes += repeatElement(UInt8(ascii: " "), count: min(max(indentation, 0), 24))
        } else if space {
            bytes.append(UInt8(ascii: " "))
        }
        breaks = 0
        space = false
        isFresh = false
    }
}

extension DisplayText {
    /// `[hidden: …]` with this source, and whether the source was too long to be shown whole.
    package static func hidden(_ source: String) -> (text: DisplayText, isCut: Bool) {
        var output = HTMLOutput()
        let isWhole = output.hide(source)
        return (output.text, !isWhole)
    }
}
