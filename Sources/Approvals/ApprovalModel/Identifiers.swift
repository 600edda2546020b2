package import Basics

/// An identifier that a bank gave out (connection, authorization, consent): opaque text, never empty.
///
/// Banks send ids as JSON strings or as integers; both become text (saltedge-v1 section 10). Different banks may use
/// the same id, so an id is only unique together with its connection.
package struct BankID: TextValue {
    /// The id as received; untrusted: percent-encode it for a path, escape it for a person.
    package let text: String

    /// Nil if the text is empty, or longer than 1024 bytes (no bank's id is).
    package init?(_ text: String) {
        guard !text.isEmpty, text.utf8.count <= 1024 else { return nil }
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text: String
        if let string = try? container.decode(String.self) {
            text = string
        } else {
            text = String(try container.decode(Int64.self))
        }
        guard let id = BankID(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "an id is empty or too long")
        }
        self = id
    }

    /// The id with every byte outside `[A-Za-z0-9_-]` percent-encoded: safe in a path, in a REF and on a terminal.
    package var percentEncoded: String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.count == 1 ? "%0" + digits : "%" + digits
            }
        }
        return result
    }
}

/// Our own id of a pairing, a UUID in lower case. It is made once, never sent to a bank, and survives every reconnect.
package struct ConnectionGUID: TextValue {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }
}

/// The name that a person gave a connection: `[a-z0-9][a-z0-9-]{0,31}`.
package struct ConnectionName: TextValue, Comparable {
    package let text: String

    /// Nil if the text does not have this form.
    package init?(_ text: String) {
        guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= 32,
            text.utf8.allSatisfy(Self.allows)
        else { return nil }
        self.text = text
    }

    /// Makes a name from the bank's name: lower case, each run of other characters becomes one hyphen; `bank` if
    /// nothing is left.
    package init(suggestedBy code: BankText) {
        var made = ""
        for byte in code.untrusted.lowercased().utf8 {
            if Self.allows(byte), byte != UInt8(ascii: "-") {
                made.unicodeScalars.append(Unicode.Scalar(byte))
            } else if !made.isEmpty, made.last != "-" {
                made.append("-")
            }
            if made.utf8.count == 32 { break }
        }
        while made.last == "-" { made.removeLast() }
        text = made.isEmpty ? "bank" : made
    }

    /// This name, or the first of `-2`, `-3` … that is not taken. Cuts the name if it would become too long.
    package func free(among taken: Set<ConnectionName>) -> ConnectionName {
        var candidate = self
        var number = 2
        while taken.contains(candidate) {
            let suffix = "-\(number)"
            if let next = ConnectionName(String(text.prefix(32 - suffix.count)) + suffix) { candidate = next }
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
