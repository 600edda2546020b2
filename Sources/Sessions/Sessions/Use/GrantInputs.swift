import Basics
package import SessionModel
package import Verbs

// The inputs of the verbs that let programs have something.

/// The terms of a grant of a session to a program.
package struct GrantOptions: QueryInput, Equatable {
    package var program: Program
    package var session: SessionName
    /// Nil for those of the session.
    package var scopes: Scopes?
    /// Empty for those of the session.
    package var resources: [ResourceIndicator]
    /// At least one.
    package var kinds: [TokenKind]
    package var life: AllowOptions

    package enum Name: String, CaseIterable, Sendable { case program, session, scopes, resources, kinds, when, seconds }

    package init(
        _ program: Program, _ session: SessionName, scopes: Scopes?, resources: [ResourceIndicator],
        kinds: [TokenKind] = [.access], _ life: AllowOptions
    ) {
        self.kinds = kinds
        self.program = program
        self.session = session
        self.scopes = scopes
        self.resources = resources
        self.life = life
    }

    package init(_ query: VerbQuery<Name>) throws {
        guard let program = query[.program].flatMap(Program.init) else { throw Failure.badProgram }
        guard program.canBeFound else { throw Failure.notToBeFound }
        guard let session = query[.session].flatMap(SessionName.init) else {
            throw Failure.usage("a grant needs the session's name")
        }
        let scopes = try query[.scopes].map { text in
            try Scopes.named(in: [text])
        }
        let resources = try (query[.resources] ?? "").split(separator: " ").map { text in
            guard let resource = ResourceIndicator(String(text)) else { throw Failure.badResource }
            return resource
        }
        let kinds = try (query[.kinds] ?? "access").split(separator: " ").map { word in
            guard let kind = TokenKind(rawValue: String(word)) else {
                throw Failure.usage("a token is of the kind access or id")
            }
            return kind
        }
        guard !kinds.isEmpty, Set(kinds).count == kinds.count else {
            throw Failure.usage("kinds names access, id or both")
        }
        self.init(
            program, session, scopes: scopes, resources: resources, kinds: kinds,
            try AllowOptions(when: query[.when], seconds: query[.seconds]))
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.program] = program.text
        query[.session] = session.text
        query[.scopes] = scopes?.text
        query[.resources] = resources.isEmpty ? nil : resources.map(\.text).joined(separator: " ")
        query[.kinds] = kinds == [.access] ? nil : kinds.map(\.rawValue).joined(separator: " ")
        query[.when] = life.use.rawValue
        query[.seconds] = life.seconds.map { String($0) }
    }
}

/// How long and when a program may have the allowed tokens, and of which session if several fit.
package struct AllowOptions: QueryInput, Equatable {
    package var use: ProgramGrant.Use
    /// Nil for no end.
    package var seconds: Int64?
    /// Nil for the only one.
    package var session: SessionName?

    package enum Name: String, CaseIterable, Sendable { case when, seconds, session }

    /// Throws a usage failure for a life of no time, or of more than ten years.
    package init(_ use: ProgramGrant.Use = .open, seconds: Int64? = nil, session: SessionName? = nil) throws {
        guard seconds.map({ (1...315_360_000).contains($0) }) ?? true else {
            throw Failure.usage("a grant lasts between one second and ten years")
        }
        self.use = use
        self.seconds = seconds
        self.session = session
    }

    package init(_ query: VerbQuery<Name>) throws {
        try self.init(when: query[.when], seconds: query[.seconds])
        session = try query[.session].map { text in
            guard let name = SessionName(text) else { throw Failure.usage("a session is named by its name") }
            return name
        }
    }

    fileprivate init(when: String?, seconds: String?) throws {
        guard let use = when.map(ProgramGrant.Use.init) ?? .open else {
            throw Failure.usage("a grant is for when it is open, unlocked or asked")
        }
        let number = try seconds.map { text in
            guard let number = Int64(text) else { throw Failure.usage("seconds is not a number") }
            return number
        }
        try self.init(use, seconds: number)
    }

    package func write(to query: inout VerbQuery<Name>) {
        query[.when] = use.rawValue
        query[.seconds] = seconds.map { String($0) }
        query[.session] = session?.text
    }
}
