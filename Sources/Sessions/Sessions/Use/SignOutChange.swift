package import Basics
package import SessionModel
package import Verbs

/// The person's terms for a session's sign-out.
package struct SignOutChange: QueryInput, Equatable {
    /// Nil leaves it as it is. With a time, the session is no longer kept.
    package var until: SignOutRule?
    /// Nil leaves it as it is. True removes the session's own time.
    package var keep: Bool?

    package enum Name: String, CaseIterable, Sendable { case until, keep }

    /// Throws a usage failure if both are nil, or if `until` is given and `keep` is true.
    package init(until: SignOutRule?, keep: Bool?) throws {
        guard until != nil || keep != nil else {
            throw Failure.usage("say when to sign out", hint: "--until, --keep or --no-keep")
        }
        guard until == nil || keep != true else {
            throw Failure.usage("a session that is kept has no time to sign out at", hint: "leave --keep out")
        }
        self.until = until
        self.keep = keep
    }

    package init(_ query: VerbQuery<Name>) throws {
        let until = try query[.until].map { text in
            guard let rule = SignOutRule(text) else { throw Failure.badSignOut }
            return rule
        }
        try self.init(until: until, keep: try query.flag(.keep))
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.until] = until?.text
        query[.keep] = keep.map { String($0) }
    }
}

extension Failure {
    /// A text is not a sign-out time.
    package static let badSignOut = Failure.usage(
        "this is not a sign-out time", hint: "give a time such as 8h, a time of day such as 18:00, or never")
}
