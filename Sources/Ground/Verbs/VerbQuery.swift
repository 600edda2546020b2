package import Basics

/// An input that is the query of a request. Its names are the cases of `Name`.
package protocol QueryInput: VerbInput {
    associatedtype Name: RawRepresentable<String> & CaseIterable & Sendable

    init(_ query: VerbQuery<Name>) throws
    func write(to query: inout VerbQuery<Name>)
}

extension QueryInput {
    package static var form: VerbForm { .query(Name.allCases.map(\.rawValue)) }

    package init(_ arguments: VerbArguments) throws { try self.init(VerbQuery(texts: arguments.query)) }

    package func write(to arguments: inout VerbArguments) {
        var query = VerbQuery<Name>(texts: [:])
        write(to: &query)
        arguments.query = query.texts
    }
}

/// The query of a request, by names that its verb knows.
package struct VerbQuery<Name: RawRepresentable<String> & Sendable>: Sendable {
    fileprivate(set) var texts: [String: String]

    /// Nil where the query does not have it.
    package subscript(name: Name) -> String? {
        get { texts[name.rawValue] }
        set { texts[name.rawValue] = newValue }
    }

    /// Nil where the query does not have it. Throws a usage failure for anything but `true` and `false`.
    package func flag(_ name: Name) throws -> Bool? {
        switch self[name] {
        case nil: nil
        case "true": true
        case "false": false
        default: throw Failure.usage("\(name.rawValue) is neither true nor false")
        }
    }

    /// Nil where the query does not have it. Throws a usage failure for anything but a time.
    package func time(_ name: Name) throws -> Timestamp? {
        try self[name].map { text in
            guard let time = Timestamp(text) else {
                throw Failure.usage(
                    "\(name.rawValue) is not a time", hint: "ISO 8601, for example: 2030-01-31T12:00:00Z")
            }
            return time
        }
    }

    /// Nil where the query does not have it. Throws a usage failure for anything but one to nine digits.
    package func count(_ name: Name) throws -> Int? {
        try self[name].map { text in
            guard text.utf8.count <= 9, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
                let count = Int(text)
            else { throw Failure.usage("\(name.rawValue) is not a number") }
            return count
        }
    }

    /// Writes `value`, unless it is the default.
    package mutating func set(_ name: Name, to value: Bool, else usual: Bool = false) {
        self[name] = value == usual ? nil : String(value)
    }
}

extension VerbForm {
    /// Decodes the raw query of a request. Throws a usage failure for an unknown name, and for a name that stands
    /// twice, since two programs could read the query differently.
    package func parameters(in query: Substring) throws -> [String: String] {
        var parameters: [String: String] = [:]
        for item in query.split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Percent.decode(parts[0]), let value = Percent.decode(parts.dropFirst().first ?? "") else {
                throw Failure.badEscape
            }
            guard queryNames.contains(name) else {
                throw Failure.usage(
                    "a parameter in the query is not known here",
                    hint: queryNames.isEmpty ? nil : "known: \(queryNames.sorted().joined(separator: ", "))")
            }
            guard parameters.updateValue(value, forKey: name) == nil else {
                throw Failure.usage("\(name) is given twice")
            }
        }
        return parameters
    }

    /// `?name=value&…`, percent-encoded, in the order of the names; nothing for an empty query.
    package func text(of parameters: [String: String]) -> String {
        let pairs = queryNames.compactMap { name in parameters[name].map { "\(name)=\(URLText.encode($0))" } }
        return pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}
