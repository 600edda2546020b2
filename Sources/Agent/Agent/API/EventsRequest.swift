public import Basics

/// The events that a watcher wants besides those of banks' requests.
public struct EventsRequest: QueryInput {
    /// Only our own command may ask for these.
    public var includesSessions: Bool

    public enum Name: String, CaseIterable, Sendable { case include }

    public var isForOwnProgram: Bool { includesSessions }

    private static let sessions = "sessions"

    public init(includesSessions: Bool = false) { self.includesSessions = includesSessions }

    /// Throws a usage failure for anything that cannot be included.
    public init(_ query: VerbQuery<Name>) throws {
        let included = query[.include]
        guard included == nil || included == Self.sessions else {
            throw Failure.usage("this cannot be included", hint: "what can be: \(Self.sessions)")
        }
        includesSessions = included != nil
    }

    public func write(to query: inout VerbQuery<Name>) { query[.include] = includesSessions ? Self.sessions : nil }
}
