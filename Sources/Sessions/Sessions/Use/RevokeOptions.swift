import Basics
package import Verbs

/// How a grant ends.
package struct RevokeOptions: QueryInput, Equatable {
    /// Also ends, at the issuer, the access tokens that were handed out by it.
    package var isCut: Bool

    package enum Name: String, CaseIterable, Sendable { case cut }

    package init(cut: Bool = false) { isCut = cut }

    package init(_ query: VerbQuery<Name>) throws { isCut = try query.flag(.cut) ?? false }

    package func write(to query: inout VerbQuery<Name>) { query.set(.cut, to: isCut) }
}
