/// A JSON value as it is written. `JSONDecoder` needs the shape of a value beforehand, rounds numbers, loses the order of
/// members, and silently drops all but one member of the same name.
package struct JSON: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case null
        case bool(Bool)
        /// The literal.
        case number(String)
        case text(String)
        case array([JSON])
        case object(Members)
        /// A text or number that is not written by the rules, where `keepingFaults` let it stand: only its bytes are known.
        case unreadable
    }

    /// The members of an object.
    package struct Members: Sendable, Equatable {
        /// Each name once, in the order of the text.
        package private(set) var names: [String] = []
        /// Whether a name occurs twice. The first of these members counts, but other readers may use the last.
        package private(set) var isAmbiguous = false
        private var values: [String: JSON] = [:]

        package subscript(name: String) -> JSON? { values[name] }

        mutating func add(_ name: String, _ value: JSON) {
            if values[name] == nil {
                names.append(name)
                values[name] = value
            } else {
                isAmbiguous = true
            }
        }

        package static func == (one: Members, other: Members) -> Bool { one.values == other.values }
    }

    package let kind: Kind
    /// The bytes of the value, without the white space around it.
    package let source: ArraySlice<UInt8>

    /// Nil unless the bytes are one JSON text in UTF-8, nested at most 512 deep.
    ///
    /// - Parameter keepingFaults: whether a faulty text or number spoils its own value alone, so that a bad item hides no good
    ///   one. A faulty name of a member spoils the whole in any case.
    package init?(_ bytes: [UInt8], keepingFaults: Bool = false) {
        var parser = JSONParser(bytes, keepingFaults: keepingFaults)
        guard let value = parser.whole() else { return nil }
        self = value
    }

    init(_ kind: Kind, source: ArraySlice<UInt8>) {
        (self.kind, self.source) = (kind, source)
    }

    package static func == (one: JSON, other: JSON) -> Bool { one.kind == other.kind }

    /// Nil if this is no object.
    package var members: Members? {
        if case .object(let members) = kind { members } else { nil }
    }

    /// A member of an object. Nil if it is missing or null, or if this is no object.
    package subscript(name: String) -> JSON? {
        guard let member = members?[name], member.kind != .null else { return nil }
        return member
    }

    package var text: String? {
        if case .text(let text) = kind { text } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let values) = kind { values } else { nil }
    }

    /// A list of texts. Nil if one of its elements is something else.
    package var texts: [String]? {
        guard let array else { return nil }
        let texts = array.compactMap(\.text)
        return texts.count == array.count ? texts : nil
    }

    /// A number, rounded. Nil if it is too large.
    package var number: Double? {
        guard case .number(let literal) = kind, let number = Double(literal), number.isFinite else { return nil }
        return number
    }

    package var isTrue: Bool { kind == .bool(true) }
}
