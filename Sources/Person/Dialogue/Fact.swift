package import Display

/// One line of a card or a question: a label of our own with a value from outside, or a sentence of our own.
package struct Fact: Sendable, Equatable {
    /// Nil for a sentence.
    package let label: StaticString?
    package let value: DisplayText
    /// Whether a window shows only as much of the value as fits into one line, and its length.
    package let isShort: Bool

    package init(_ label: StaticString, _ value: DisplayText, isShort: Bool = false) {
        self.label = label
        self.value = value
        self.isShort = isShort
    }

    /// A sentence.
    package init(_ sentence: DisplayText) {
        label = nil
        value = sentence
        isShort = false
    }

    /// `Label: value`, or the sentence. No value can begin a line of its own.
    package var line: String { (label.map { "\($0): " } ?? "") + value.line }

    package static func == (a: Fact, b: Fact) -> Bool { a.line == b.line && a.isShort == b.isShort }
}
