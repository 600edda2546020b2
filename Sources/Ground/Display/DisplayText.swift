package import Basics

/// Text from outside, made safe to show. The words of a bank reach a person in this form only.
///
/// Characters that could hide or reorder text or control the terminal are made visible and never interpreted:
///
/// - A control character, escape sequence, bidi override, zero-width character, soft hyphen, private or unassigned
///   character becomes `⟨U+202E⟩` (a run of one character `⟨U+202E×12⟩`).
/// - Combining marks beyond four on one character become `⟨+12 marks⟩`.
/// - The bracket `⟨` itself becomes an escape when it stands in the text. So everything that begins with `⟨` was
///   written by this program and cannot be faked.
/// - The bracket of `[hidden` and of `[12 spaces` becomes an escape, too: only this program writes these marks, for
///   markup that would not be seen (`HTMLText`) and for a run of blanks (`TextLines`).
/// - Blanks of every kind, tabs included, become plain spaces.
///
/// The rules for single characters are in `ScalarRule`.
///
/// Letters that are written from right to left are put between U+2068 and U+2069 (an isolate), so that they do not move
/// the digits beside them. Terminals without support for text direction show neither of the two characters.
///
/// Both forms are made in linear time and contain no other control characters than the line feeds in `block`.
package struct DisplayText: Sendable, Hashable, CustomStringConvertible {
    /// The text in one line: each run of line feeds is ` ⏎ `, each run of spaces one space. A `⏎` of the text itself
    /// becomes an escape.
    package let line: String
    /// The text with its lines: at most one blank line in a row, no spaces at the end of lines. `TextLines` lays it out
    /// for the screen.
    package let block: String
    /// Whether there is nothing to see: no character but spaces and escapes.
    package let isBlank: Bool

    /// Makes text of a bank safe.
    package init(_ text: BankText) {
        self.init(text.untrusted)
    }

    /// Applies the same rules to text of this program that is shown among a bank's, and to text whose origin is not
    /// known.
    package init(_ text: String) {
        var made = VisibleText()
        made.append(text)
        self.init(made)
    }

    init(_ made: VisibleText) {
        var made = made
        (line, block, isBlank) = made.finish()
    }

    package var description: String { line }

    /// `line`, cut to `columns` with `…` at the end when it is longer. For tables; a card is never cut.
    package func line(within columns: Int) -> String {
        TextWidth.cut(line, to: columns)
    }
}
