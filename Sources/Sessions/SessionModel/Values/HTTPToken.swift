/// An HTTP token, as methods are (RFC 9110 sections 5.6.2 and 9.1), of at most 32 characters.
package struct HTTPToken: Sendable, Equatable {
    private static let marks = Set("!#$%&'*+-.^_`|~".utf8)

    package let text: String

    /// Nil for anything else.
    package init?(_ text: String) {
        let isToken = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"):
                true
            default: Self.marks.contains(byte)
            }
        }
        guard isToken, (1...32).contains(text.utf8.count) else { return nil }
        self.text = text
    }
}
