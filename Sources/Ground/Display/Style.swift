/// Whether text is set off by attributes of the terminal (bold, dim). Only text without control characters
/// (`DisplayText`, or our own) is styled, so nothing in it can end or change the attribute. There are no colours, since
/// some cannot be read on a light terminal and some not on a dark one.
package enum Style: Sendable, Hashable {
    case plain, ansi

    package func bold(_ text: String) -> String { set("1", text) }
    package func dim(_ text: String) -> String { set("2", text) }

    /// The text without the attributes that this type sets.
    package static func removed(from text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        // By scalars: a mark may follow the attribute, and would make one character with its last letter.
        let parts = text.unicodeScalars.split(separator: "\u{1B}", omittingEmptySubsequences: false)
        return parts.enumerated().reduce(into: "") { result, part in
            result.unicodeScalars += part.offset == 0 ? part.element : part.element.drop { $0 != "m" }.dropFirst()
        }
    }

    private func set(_ attribute: String, _ text: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(attribute)m\(text)\u{1B}[0m"
    }
}
