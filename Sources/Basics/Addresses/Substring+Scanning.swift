// Links are cut byte by byte: a delimiter stays one whatever combining character follows it.

extension Substring {
    /// Without the white space at both ends.
    package func trimmingWhitespace() -> Substring {
        var rest = self.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }

    /// What follows `prefix`, byte for byte (canonical equivalence is not equality here); nil when it is not in front.
    package func dropping(prefix: String) -> Substring? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(utf8.dropFirst(prefix.utf8.count))
    }

    /// All before the first `mark`, or all.
    package func before(_ mark: Unicode.Scalar) -> Substring {
        Substring(utf8.prefix { $0 != UInt8(ascii: mark) })
    }

    /// All behind the first `mark`; nil when there is none.
    package func behind(_ mark: Unicode.Scalar) -> Substring? {
        guard let index = utf8.firstIndex(of: UInt8(ascii: mark)) else { return nil }
        return Substring(utf8[index...].dropFirst())
    }
}
