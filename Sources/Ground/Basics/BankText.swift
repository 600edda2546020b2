/// Text as a bank (or any other stranger) sent it: hostile until `Display` has made it safe.
///
/// Its description leaves out the text on purpose, so that interpolation cannot put the text into a message: a person
/// sees it only as `DisplayText`.
package struct BankText: Sendable, Hashable, Codable {
    /// The characters as received. Never write these to a terminal, a prompt or a notification.
    package let untrusted: String

    package init(_ untrusted: String) {
        self.untrusted = untrusted
    }

    package init(from decoder: any Decoder) throws {
        untrusted = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(untrusted)
    }
}

extension BankText {
    /// By bytes: for Swift two texts are equal if a reader sees no difference, and a stranger may have two accounts by that.
    package static func == (a: Self, b: Self) -> Bool { a.untrusted.utf8.elementsEqual(b.untrusted.utf8) }

    package func hash(into hasher: inout Hasher) { for byte in untrusted.utf8 { hasher.combine(byte) } }
}

extension BankText: CustomStringConvertible, CustomReflectable {
    /// Says only how long the text is: see the type's comment.
    package var description: String { "<bank text, \(untrusted.utf8.count) bytes>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
