import Basics
package import Verbs

/// The events that a watcher wants besides those of banks' requests.
package struct EventsRequest: QueryInput {
    /// Only our own command may ask for these.
    package var includesSessions: Bool

    package enum Name: String, CaseIterable, Sendable { case include }

    package var isForOwnProgram: Bool { includesSessions }

    private static let sessions = "sessions"

    package init(includesSessions: Bool = false) { self.includesSessions = includesSessions }

    /// Throws a usage failure for anything that cannot be included.
    package init(_ query: VerbQuery<Name>) throws {
        let included = query[.include]
        guard included == nil || included == Self.sessions else {
            throw Failure.usage("this cannot be included", hint: "what can be: \(Self.sessions)")
        }
        includesSessions = included != nil
    }

    package func write(to query: inout VerbQuery<Name>) { query[.include] = includesSessions ? Self.sessions : nil }
}
