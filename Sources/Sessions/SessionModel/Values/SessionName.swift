import Basics

/// Our own id of a session, a UUID in lower case. It never leaves this computer, and survives each new login.
package struct SessionID: TextValue, Comparable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The name of a session: `[a-z0-9][a-z0-9-]{0,31}`.
package struct SessionName: TextValue, Comparable {
    package let text: String

    /// Nil if the text does not have this form.
    package init?(_ text: String) {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= 32,
            text.utf8.allSatisfy(Self.allows)
        else { return nil }
        self.text = text
    }

    /// Makes a name from an issuer's host: the word that people know it by, `fern` for `id.fern.example`; `issuer` for an address
    /// in numbers.
    package init(suggestedBy issuer: Issuer) {
        let labels = issuer.address.host.split(separator: ".").map(String.init)
        let isNumber = labels.allSatisfy { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
        var label = labels.count > 1 ? labels[labels.count - 2] : labels.first ?? ""
        // A short label belongs to the suffix, as in co.uk and com.au.
        if labels.count > 2, label.utf8.count <= 3 { label = labels[labels.count - 3] }
        self = (isNumber ? nil : SessionName(String(label.prefix(32)))) ?? Self.issuer
    }

    private init(unchecked text: String) { self.text = text }

    private static let issuer = SessionName(unchecked: "issuer")

    /// This name, or the first of `-2`, `-3` … that is not taken. Cuts the name if it would become too long.
    package func free(among taken: Set<SessionName>) -> SessionName {
        var candidate = self
        var number = 2
        while taken.contains(candidate) {
            let suffix = "-\(number)"
            candidate = SessionName(unchecked: String(text.prefix(32 - suffix.count)) + suffix)
            number += 1
        }
        return candidate
    }

    package static func < (a: Self, b: Self) -> Bool { a.text < b.text }

    private static func allows(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
