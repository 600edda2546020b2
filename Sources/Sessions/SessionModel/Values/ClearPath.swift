package import Basics

/// The path of an address by its segments, once dot segments are removed (RFC 3986 section 5.2.4).
package struct ClearPath: Sendable, Equatable {
    let segments: [String]

    /// Nil if readers may disagree on the meaning of the path: escaped dots, slashes and control characters are never
    /// decoded here, but a server may decode them, and one that is written in C ends the path at `%00`; and servers
    /// disagree on empty segments and parameters beside dot segments, and on dot segments that lead out of the root.
    package init?(_ address: WebAddress) {
        let path = address.path.lowercased()
        guard !path.contains("%2e"), !path.contains("%2f"), !path.contains("%5c"),
            !Self.hasEscapedControl(path)
        else { return nil }
        var kept: [String] = []
        var hasDots = false
        let written = address.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for segment in written {
            switch segment {
            case ".": hasDots = true
            case "..":
                hasDots = true
                guard kept.popLast() != nil else { return nil }
            default:
                guard ![".", ".."].contains(segment.prefix { $0 != ";" }) else { return nil }
                kept.append(String(segment))
            }
        }
        guard !hasDots || !written.dropLast().contains("") else { return nil }
        segments = kept
    }

    /// Whether an escape may stand for a control character: 00 to 1F, 7F, C2 80 to C2 9F (the UTF-8 of the second block), and C0 and C1,
    /// which begin overlong forms alone. `path`: in lower case.
    private static func hasEscapedControl(_ path: String) -> Bool {
        ["%0", "%1", "%7f", "%c2%8", "%c2%9", "%c0", "%c1"].contains { path.contains($0) }
    }

    /// Whether it is `other`, or lies under it by whole segments. A slash at the end of `other` means nothing.
    package func isUnder(_ other: ClearPath) -> Bool {
        var base = other.segments[...]
        while base.last == "" { base.removeLast() }
        return segments.starts(with: base)
    }
}
