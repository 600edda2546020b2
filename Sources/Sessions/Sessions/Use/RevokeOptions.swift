public import Basics

/// How a grant ends.
public struct RevokeOptions: QueryInput, Equatable {
    /// Also ends, at the issuer, the access tokens that were handed out by it.
    public var isCut: Bool

    public enum Name: String, CaseIterable, Sendable { case cut }

    public init(cut: Bool = false) { isCut = cut }

    public init(_ query: VerbQuery<Name>) throws { isCut = try query.flag(.cut) ?? false }

    public func write(to query: inout VerbQuery<Name>) { query.set(.cut, to: isCut) }
}
