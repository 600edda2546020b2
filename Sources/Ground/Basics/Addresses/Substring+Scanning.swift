// Links are cut by bytes and not by Swift's characters: `=` with a combining mark behind it is one other Character, and
// the delimiter would not be found.

extension Substring {
    /// Without the white space at both ends.
    package func trimmingWhitespace() -> Substring {
        var rest = self.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// Returns the text after `prefix`, or nil when the text does not begin with it. Compares bytes: Swift's `==` would
    /// also accept other spellings of the same characters (canonical equivalence).
    package func dropping(prefix: String) -> Substring? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(utf8.dropFirst(prefix.utf8.count))
    }

    /// Returns the text before the first `mark`, or the whole text when it has none.
    package func before(_ mark: Unicode.Scalar) -> Substring {
        Substring(utf8.prefix { $0 != UInt8(ascii: mark) })
    }

    /// Returns the text after the first `mark`, or nil when the text has none.
    package func behind(_ mark: Unicode.Scalar) -> Substring? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        return Substring(utf8[index...].dropFirst())
    }
}
