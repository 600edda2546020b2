import Basics
import ApprovalModel
import Cryptography

extension LockedBytes {
    /// The members of an item's plaintext, as they are written: a number is shown digit by digit as it was received
    /// (saltedge-v2 section 8.3).
    func members(of id: BankID) throws(ItemFault) -> JSON.Members {
        guard let json = withBytes({ JSON(Array($0), keepingFaults: true) }) else { throw .unopened(id) }
        return try json.members(of: id)
    }
}

extension JSON {
    /// The members of an object. Throws when a name occurs twice: a decoder would use one of the two, and the other would
    /// never be seen.
    func members(of id: BankID) throws(ItemFault) -> Members {
        guard let members, !members.isAmbiguous else { throw .unopened(id) }
        return members
    }

    /// For a string its text; for `null` nil; for any other value its JSON text.
    var shown: String? {
        kind == .null ? nil : text ?? String(decoding: source, as: UTF8.self)
    }
}

extension JSON.Members {
    /// The members that the protocol does not define, as one part; empty when there are none.
    func unknown(besides known: Set<String>) -> [AuthorizationContent.Part] {
        let members = names.filter { !known.contains($0) }.map { name in
            UnknownMember(name: BankText(name), value: BankText(self[name]?.shown ?? "null"))
        }
        return members.isEmpty ? [] : [.unknown(members)]
    }
}
