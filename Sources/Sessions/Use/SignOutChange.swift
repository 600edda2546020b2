public import Basics

/// What the person says of a session's sign-out.
public struct SignOutChange: QueryInput, Equatable {
    /// Nil leaves it as it is. A time ends that the session is kept.
    public var until: SignOutRule?
    /// Nil leaves it as it is. True takes the session's own time away.
    public var keep: Bool?

    public enum Name: String, CaseIterable, Sendable { case until, keep }

    /// Throws a usage failure where nothing is said, and for a session that is kept until a time.
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
    /// A text says no time to sign out at.
    public static let badSignOut = Failure.usage(
        "this is not a sign-out time", hint: "give a time such as 8h, a time of day such as 18:00, or never")
    /// The change would let a session last for longer.
    public static let takesPIN = Failure(
        .locked, "to stay signed in for longer takes the PIN", hint: "run it on a terminal, or give --pin-file PATH")
}
