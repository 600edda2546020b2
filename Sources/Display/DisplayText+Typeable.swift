extension DisplayText {
    /// What a person can type of the line: without escapes and isolates, in lower case.
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
