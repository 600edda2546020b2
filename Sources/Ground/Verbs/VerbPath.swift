import Basics

/// The path of a verb: fixed steps, and at most one name in braces, as in `/connections/{name}/prove`.
package struct VerbPath: Sendable, ExpressibleByStringLiteral {
    /// The longest name that a path can hold, in bytes. No name of ours is longer.
    private static let longestName = 8192

    /// As it is written in the OpenAPI file.
    package let text: String
    private let steps: [Substring]

    package init(stringLiteral text: String) {
        self.text = text
        steps = Self.split(text)
        precondition(steps.count(where: Self.isName) <= 1, "more than one name in a path")
    }

    /// The label of the name, where the path has one.
    package var nameLabel: String? {
        steps.first(where: Self.isName).map { String($0.dropFirst().dropLast()) }
    }

    /// The path as a request has it, percent-encoded. Nil for a name that no path can hold. A path without a name takes
    /// any.
    package func filled(with name: String) -> String? {
        guard nameLabel != nil else { return text }
        guard !name.isEmpty, name.utf8.count <= Self.longestName else { return nil }
        return steps.map { "/" + (Self.isName($0) ? URLText.encode(name) : String($0)) }.joined()
    }

    /// The decoded name in the raw path of a request; empty where the path has none. Nil when the request is for another
    /// path. Throws a usage failure when the name cannot be decoded.
    package func name(in path: Substring) throws -> String? {
        let parts = Self.split(path)
        guard parts.count == steps.count else { return nil }
        var found: Substring?
        for (step, part) in zip(steps, parts) {
            if Self.isName(step) {
                found = part
            } else if part != step {
                return nil
            }
        }
        guard let found else { return "" }
        guard !found.isEmpty else { return nil }
        guard let name = Percent.decode(found) else { throw Failure.badEscape }
        return name
    }

    private static func isName(_ step: Substring) -> Bool { step.hasPrefix("{") }

    private static func split(_ path: some StringProtocol) -> [Substring] {
        Substring(path).dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    }
}

extension Failure {
    static let badEscape = Failure.usage("a percent escape cannot be read")
}
