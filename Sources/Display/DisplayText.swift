public import Basics

/// Text of a stranger made safe to show: the only form in which a bank's words reach a person (design, "What you see is
/// what you sign").
///
/// What could hide, reorder or command is made visible and never interpreted: a control character, escape sequence, bidi
/// override, zero-width character, soft hyphen, private or unassigned character stands as `⟨U+202E⟩` (a run of one
/// character as `⟨U+202E×12⟩`), combining marks beyond four on one character as `⟨+12 marks⟩`. The opening bracket `⟨`
/// is itself written so when it stands in the text, so whatever begins with `⟨` was put there by us and cannot be faked.
/// The bracket of `[hidden` is written so too: that mark stands for markup that nobody would see (`HTMLText`), and for nothing
/// else. Spaces of every kind become plain spaces. The rules for single characters are in `ScalarRule`.
///
/// Letters that are written from right to left stand between U+2068 and U+2069, so that they move no digit beside them; a
/// terminal that knows no direction shows neither.
///
/// Both forms are made in linear time and are free of other controls but for the line feeds in `block`.
public struct DisplayText: Sendable, Hashable, CustomStringConvertible {
    /// One line: each run of line feeds is ` ⏎ ` (which stands as an escape where the text has one of its own), each run of
    /// spaces one space.
    public let line: String
    /// Line feeds kept, at most one blank line in a row; tabs are four spaces; no spaces at the end of lines.
    public let block: String
    /// Whether there is nothing to see: no character but spaces and escapes.
    public let isBlank: Bool

    public init(_ text: BankText) {
        self.init(text.untrusted)
    }

    /// For words of our own that stand among a bank's, and text whose origin is not known: the same rules.
    public init(_ text: String) {
        var made = VisibleText()
        made.append(text)
        self.init(made)
    }

    init(_ made: VisibleText) {
        var made = made
        (line, block, isBlank) = made.finish()
    }

    public var description: String { line }

    /// `line`, cut to `columns` with `…` at the end where it is longer: for cells of tables, never for cards.
    public func line(within columns: Int) -> String {
        TextWidth.cut(line, to: columns)
    }
}
