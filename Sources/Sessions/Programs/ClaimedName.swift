public import Basics
public import Display

/// What a program says that it is called. It is shown to the person as the program's own word, and nothing else depends on it.
public struct ClaimedName: Sendable, Equatable {
    public static let longest = 60

    public let text: BankText

    /// Nil for what is empty, too long, or has control characters.
    public init?(_ text: String) {
        guard (1...Self.longest).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = BankText(text)
    }

    public var shown: DisplayText { DisplayText(text) }
}
