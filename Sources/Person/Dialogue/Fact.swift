public import Display

/// One line of a card or a question: a label of our own with a value from outside, or a sentence of our own.
public struct Fact: Sendable, Equatable {
    /// Nil for a sentence.
    public let label: StaticString?
    public let value: DisplayText
    /// Whether a window shows only as much of the value as fits into one line, and its length.
    public let isShort: Bool

    public init(_ label: StaticString, _ value: DisplayText, isShort: Bool = false) {
        self.label = label
        self.value = value
        self.isShort = isShort
    }

    /// A sentence.
    public init(_ sentence: DisplayText) {
        label = nil
        value = sentence
        isShort = false
    }

    /// `Label: value`, or the sentence. No value can begin a line of its own.
    public var line: String { (label.map { "\($0): " } ?? "") + value.line }

    public static func == (a: Fact, b: Fact) -> Bool { a.line == b.line && a.isShort == b.isShort }
}
