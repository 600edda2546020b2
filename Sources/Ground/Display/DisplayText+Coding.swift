/// The JSON form is `block`. Decoded text is not escaped again, since it was escaped when it was made. Text with a
/// character that no `DisplayText` contains is refused, so that decoding is no way around the rules.
extension DisplayText: Codable {
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(block)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let text = DisplayText(shown: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a character that is never shown")
        }
        self = text
    }

    /// Takes back text that a `DisplayText` gave out before, unchanged. Nil when it cannot come from one.
    package init?(shown text: String) {
        guard text.unicodeScalars.allSatisfy(ScalarRule.isShown), Self.hasWholeIsolates(text) else { return nil }
        block = text
        line = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            .filter { !$0.isEmpty }.joined(separator: " \(ScalarRule.returnSign) ")
        var isInEscape = false
        isBlank = text.unicodeScalars.allSatisfy { scalar in
            if scalar == ScalarRule.open { isInEscape = true }
            defer { if scalar == ScalarRule.close { isInEscape = false } }
            return isInEscape || scalar == " " || scalar == "\n"
        }
    }

    /// Text of an answer. It is safe already; if not, it is made safe.
    package init(answered text: String) { self = DisplayText(shown: text) ?? DisplayText(text) }

    /// Whether each isolate ends on the line where it begins, and none stands within another.
    private static func hasWholeIsolates(_ text: String) -> Bool {
        var isOpen = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case ScalarRule.beginIsolate:
                guard !isOpen else { return false }
                isOpen = true
            case ScalarRule.endIsolate:
                guard isOpen else { return false }
                isOpen = false
            case "\n": guard !isOpen else { return false }
            default: break
            }
        }
        return !isOpen
    }
}

extension ScalarRule {
    /// Whether this character can stand in text that was made safe.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\n", open, close, returnSign, continuation, beginIsolate, endIsolate: return true
        default:
            switch ScalarRule(scalar) {
            case .keep, .mark: return true
            case .space, .newline, .escape: return false
            }
        }
    }
}
