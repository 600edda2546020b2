import Basics

/// The query of a link, in which no name may occur twice: two programs could read it differently.
package struct UniqueParameters: Sendable {
    private var values: [String: Substring] = [:]

    /// Throws `ambiguous` if a name occurs twice.
    package init(_ query: Substring) throws(LinkError) {
        for pair in query.utf8.split(separator: UInt8(ascii: "&")).map(Substring.init) {
            guard let name = Percent.decode(pair.before("=")) else {
                throw LinkError(.badEncoding, "a name in the link is not encoded properly")
            }
            guard values.updateValue(pair.behind("=") ?? "", forKey: name) == nil else {
                throw LinkError(.ambiguous, "the link says something twice")
            }
        }
    }

    /// The value as it is written; nil if it is absent or empty.
    package func raw(_ name: String) -> Substring? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The value, decoded once, `+` kept; nil if it is absent or empty.
    package func text(_ name: String) throws(LinkError) -> String? {
        guard let raw = raw(name) else { return nil }
        guard let text = Percent.decode(raw) else {
            throw LinkError(.badEncoding, "the link's \(name) is not encoded properly")
        }
        return text
    }
}
