package import Basics
package import Display

/// The name that a program gives itself. It is shown to the person as the program's own word; nothing else depends on it.
package struct ClaimedName: Sendable, Equatable {
    package static let longest = 60

    package let text: BankText

    /// Nil for a text that is empty, too long, or has control characters.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.unicodeScalars.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        self.text = BankText(text)
    }

    package var shown: DisplayText { DisplayText(text) }
}
