import Basics
import FoundationEssentials
import ApprovalModel

/// A JSON value as it is written in the text, so that a number can be shown digit by digit as it was received
/// (saltedge-v2 section 8.3). Written here because `JSONDecoder` turns numbers into `Double` and loses the order of
/// members. Only for text that the decoder has accepted before: it does not detect invalid JSON.
struct JSONScan {
    private let bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.init(bytes[...])
    }

    private init(_ bytes: ArraySlice<UInt8>) {
        var trimmed = bytes.drop(while: Self.isSpace)
        while let last = trimmed.last, Self.isSpace(last) { trimmed.removeLast() }
        self.bytes = trimmed
    }

    var isObject: Bool { bytes.first == UInt8(ascii: "{") }

    /// For a string its text, unescaped; for `null` nil; for any other value its JSON text.
    var text: String? {
        if bytes.elementsEqual("null".utf8) { return nil }
        guard bytes.first == UInt8(ascii: "\"") else { return String(decoding: bytes, as: UTF8.self) }
        // A string without escapes is taken as it is, since starting a decoder for each of very many names takes very
        // long.
        guard bytes.contains(UInt8(ascii: "\\")) else {
            return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        }
        return try? JSONDecoder().decode(String.self, from: Data(bytes))
    }

    /// The members of an object; none for any other value. Throws when a name occurs twice: a decoder would use one of
    /// the two, and the other would never be seen.
    func members(of id: BankID) throws(ItemFault) -> JSONMembers {
        var members = JSONMembers()
        guard isObject else { return members }
        for member in split(bytes.dropFirst().dropLast(), at: ",") {
            let parts = split(member, at: ":")
            guard parts.count == 2, let name = JSONScan(parts[0]).text else { continue }
            guard members.add(JSONScan(parts[1]), as: name) else { throw .unopened(id) }
        }
        return members
    }

    /// Splits at each `separator` outside of strings and brackets.
    private func split(_ text: ArraySlice<UInt8>, at separator: Unicode.Scalar) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var depth = 0
        var inString = false
        var escaped = false
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        let separator = UInt8(ascii: separator)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            if escaped {
                escaped = false
            } else if inString {
                // Most of the text, so it is gone through without looking at more.
                if byte == backslash { escaped = true } else if byte == quote { inString = false }
            } else {
                switch byte {
                case quote: inString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                case separator where depth == 0:
                    pieces.append(text[start..<index])
                    start = index + 1
                default: break
                }
            }
            index += 1
        }
        return pieces + [text[start...]]
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
}

/// An object's members, in the order of the text.
struct JSONMembers {
    private(set) var names: [String] = []
    private var values: [String: JSONScan] = [:]

    subscript(name: String) -> JSONScan? { values[name] }

    /// Adds a member; false when there is one with this name already.
    fileprivate mutating func add(_ value: JSONScan, as name: String) -> Bool {
        guard values.updateValue(value, forKey: name) == nil else { return false }
        names.append(name)
        return true
    }

    /// The members that the protocol does not define, as one part; empty when there are none.
    func unknown(besides known: Set<String>) -> [AuthorizationContent.Part] {
        let members = names.filter { !known.contains($0) }.map { name in
            UnknownMember(name: BankText(name), value: BankText(values[name]?.text ?? "null"))
        }
        return members.isEmpty ? [] : [.unknown(members)]
    }
}
