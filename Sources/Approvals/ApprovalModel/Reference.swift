import Basics

/// How people name an authorization or a consent: `NAME:ID`, the ID percent-encoded outside `[A-Za-z0-9_-]`; on a
/// terminal also the ID alone, or a unique beginning of it.
package struct Reference: Sendable, Hashable {
    /// Nil if only an id, or its beginning, was given.
    package let connection: ConnectionName?
    /// The percent-encoded id, or its beginning.
    package let id: String

    /// Nil if the text cannot be a reference: a bad name, an empty id, or a character that no encoded id has.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let last = parts.last, !last.isEmpty, last.utf8.count <= 3072,
            last.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "%"):
                    true
                default: false
                }
            })
        else { return nil }
        if parts.count == 2 {
            guard let name = ConnectionName(String(parts[0])) else { return nil }
            connection = name
        } else {
            connection = nil
        }
        id = String(last)
    }

    /// The decoded id of a whole reference. Nil if it is not a valid id.
    package var bankID: BankID? { Percent.decode(id).flatMap { BankID($0) } }

    /// The whole reference of an item at a connection.
    package static func text(_ name: ConnectionName, _ id: BankID) -> String { "\(name.text):\(id.percentEncoded)" }
}
