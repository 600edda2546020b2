public import Basics

/// The person's terms for a session's sign-out.
public struct SignOutChange: QueryInput, Equatable {
    /// Nil leaves it as it is. With a time, the session is no longer kept.
    public var until: SignOutRule?
    /// Nil leaves it as it is. True removes the session's own time.
    public var keep: Bool?

    public enum Name: String, CaseIterable, Sendable { case until, keep }

    /// Throws a usage failure if both are nil, or if `until` is given and `keep` is true.
    public init(until: SignOutRule?, keep: Bool?) throws {
        guard until != nil || keep != nil else {
            throw Failure.usage("say when to sign out", hint: "--until, --keep or --no-keep")
        }
        guard until == nil || keep != true else {
            throw Failure.usage("a session that is kept has no time to sign out at", hint: "leave --keep out")
        }
        self.until = until
        self.keep = keep
    }

    public init(_ query: VerbQuery<Name>) throws {
        let until = try query[.until].map { text in
            guard let rule = SignOutRule(text) else { throw Failure.badSignOut }
            return rule
        }
        try self.init(until: until, keep: try query.flag(.keep))
    }

    public func write(to query: inout VerbQuery<Name>) {
        query[.until] = until?.text
        query[.keep] = keep.map { String($0) }
    }
}

extension Failure {
    /// A text is not a sign-out time.
    public static let badSignOut = Failure.usage(
        "this is not a sign-out time", hint: "give a time such as 8h, a time of day such as 18:00, or never")
    /// The change would let a session last for longer.
    public static let takesPIN = Failure(
        .locked, "to stay signed in for longer takes the PIN", hint: "run it on a terminal, or give --pin-file PATH")
}
