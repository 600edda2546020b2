import Basics

/// A set of scopes (RFC 6749 section 3.3). The text is sorted, so that equal sets are equal texts.
package struct Scopes: TextValue {
    /// Separated by one space; empty for none.
    package let text: String
    package let all: [String]

    /// Reads scopes that are separated by spaces. Nil where one has a character that no scope may have, or all together are longer
    /// than 8 KiB.
    package init?(_ text: String) {
        self.init(text.split(separator: " ").map(String.init))
    }

    /// Nil as in `init(_:)`; also for an empty scope.
    package init?(_ scopes: [String]) {
        guard scopes.allSatisfy(Self.isScope) else { return nil }
        all = Set(scopes).sorted()
        text = all.joined(separator: " ")
        guard text.utf8.count <= 8192 else { return nil }
    }

    private init() { (text, all) = ("", []) }

    package static let none = Scopes()

    package var isEmpty: Bool { all.isEmpty }

    package func contains(_ scope: String) -> Bool { all.contains(scope) }

    package func isSubset(of other: Scopes) -> Bool { Set(all).isSubset(of: other.all) }

    /// `scope-token`: printable ASCII but space, `"` and `\`.
    private static func isScope(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            }
    }
}

/// A service that a token is for (RFC 8707 section 2): an absolute URI without fragment, sent as it was written.
package struct ResourceIndicator: TextValue, Comparable {
    package let text: String

    /// Nil for anything but an absolute URI of at most 2 KiB, printable ASCII, without a fragment.
    package init?(_ text: String) {
        guard text.utf8.count <= 2048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#"),
            let colon = text.firstIndex(of: ":"), colon != text.startIndex, text.index(after: colon) != text.endIndex,
            text[..<colon].utf8.allSatisfy(Self.isSchemeByte)
        else { return nil }
        self.text = text
    }

    package static func < (a: Self, b: Self) -> Bool { a.text < b.text }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
