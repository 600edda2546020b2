extension DisplayText {
    /// The part of `line` that a person can type: without escapes and isolates, in lower case.
    package var typeable: String {
        var isEscape = false
        var kept = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            switch scalar {
            case ScalarRule.open: isEscape = true
            case ScalarRule.close: isEscape = false
            case ScalarRule.beginIsolate, ScalarRule.endIsolate: break
            default: if !isEscape { kept.append(scalar) }
            }
        }
        return String(kept).lowercased().split(separator: " ").joined(separator: " ")
    }
}
