public import Basics

// The inputs of the verbs of sessions. Each type names its members once, for both ends of the socket.

/// What a token is to be good for.
public struct TokenRequest: JSONInput, Equatable {
    /// A session's name, its issuer, or the address of a service that the session is for; nil for the only session.
    public var target: String?
    /// Nil for all that may be had.
    public var scopes: Scopes?
    public var resources: [ResourceIndicator]
    /// An ID token has no scopes and no resources.
    public var kind: TokenKind
    public var terms: TokenTerms

    public enum CodingKeys: String, CodingKey, CaseIterable {
        case target, scopes, resources, kind, minTtl, rejected, keptBy, wait
    }

    public init(target: String?, aim: TokenAim = .whole, kind: TokenKind = .access, _ terms: TokenTerms) {
        self.target = target
        self.kind = kind
        scopes = aim.scopes
        resources = aim.resources
        self.terms = terms
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        target = try members.decodeIfPresent(String.self, forKey: .target)
        scopes = try members.decodeIfPresent([String].self, forKey: .scopes).map { words in
            guard let scopes = Scopes(words), !scopes.isEmpty else { throw Failure.badScope }
            return scopes
        }
        resources = try (members.decodeIfPresent([String].self, forKey: .resources) ?? []).map { text in
            guard let resource = ResourceIndicator(text) else { throw Failure.badResource }
            return resource
        }
        guard let kind = TokenKind(rawValue: try members.decodeIfPresent(String.self, forKey: .kind) ?? "access") else {
            throw Failure.usage("a token is of the kind access or id")
        }
        self.kind = kind
        guard kind == .access || (scopes == nil && resources.isEmpty) else { throw Failure.aimedIDToken }
        terms = try TokenTerms(
            lasting: members.decodeIfPresent(Int64.self, forKey: .minTtl),
            rejected: members.decodeIfPresent(String.self, forKey: .rejected),
            keptBy: members.decodeIfPresent(String.self, forKey: .keptBy),
            wait: members.decodeIfPresent(Int64.self, forKey: .wait))
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(target, forKey: .target)
        try members.encodeIfPresent(scopes?.all, forKey: .scopes)
        try members.encode(resources.map(\.text), forKey: .resources)
        try members.encode(kind.rawValue, forKey: .kind)
        try members.encode(terms.seconds, forKey: .minTtl)
        try members.encodeIfPresent(terms.rejected, forKey: .rejected)
        try members.encodeIfPresent(terms.keeper, forKey: .keptBy)
        try members.encode(terms.wait, forKey: .wait)
    }

    var aim: TokenAim { TokenAim(scopes: scopes, resources: resources) }
}

/// The address of a request whose headers are wanted.
public struct HeadersRequest: JSONInput, Equatable {
    public var url: WebAddress
    /// The `WWW-Authenticate` lines of the service's answer; empty for a challenge that could not be read, nil where there was none.
    public var challenge: [String]?
    /// Whether the token can be sent as a password, too (RFC 7617).
    public var password: Bool
    public var terms: TokenTerms

    public enum CodingKeys: String, CodingKey, CaseIterable { case url, challenge, password, minTtl, rejected, wait }

    public init(url: WebAddress, challenge: [String]? = nil, password: Bool = false, _ terms: TokenTerms) {
        self.url = url
        self.challenge = challenge
        self.password = password
        self.terms = terms
    }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.requestAddress(forKey: .url)
        challenge = try members.decodeIfPresent([String].self, forKey: .challenge)
        password = try members.decodeIfPresent(Bool.self, forKey: .password) ?? false
        terms = try TokenTerms(
            lasting: members.decodeIfPresent(Int64.self, forKey: .minTtl),
            rejected: members.decodeIfPresent(String.self, forKey: .rejected),
            wait: members.decodeIfPresent(Int64.self, forKey: .wait))
    }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(url.text, forKey: .url)
        try members.encodeIfPresent(challenge, forKey: .challenge)
        try members.encode(password, forKey: .password)
        try members.encode(terms.seconds, forKey: .minTtl)
        try members.encodeIfPresent(terms.rejected, forKey: .rejected)
        try members.encode(terms.wait, forKey: .wait)
    }
}

extension KeyedDecodingContainer {
    /// The address of a request to a service. Throws a usage failure for what is no address.
    func requestAddress(forKey key: Key) throws -> WebAddress {
        do {
            return try WebAddress(decode(String.self, forKey: key))
        } catch let error as AddressError {
            throw Failure.usage(error.reason, hint: "give the whole address of the request")
        }
    }
}

/// How a token is wanted, whatever it is for.
public struct TokenTerms: Sendable, Equatable {
    /// How long it must last at least, in seconds.
    public var seconds: Int64
    /// The token that a service rejected, by the first 16 to 64 digits of its SHA-256: it is renewed once.
    public var rejected: String?
    /// The process that keeps the token until it runs out, by a text that no other has: if it asks earlier, its token was rejected.
    public var keeper: String?
    /// How long the person may take to allow it, in seconds; 0 does not wait.
    public var wait: Int64

    /// Throws a usage failure for times that are out of range.
    public init(
        lasting seconds: Int64? = nil, rejected: String? = nil, keptBy keeper: String? = nil, wait: Int64? = nil
    ) throws {
        guard keeper.map({ (1...128).contains($0.utf8.count) }) ?? true else {
            throw Failure.usage("who keeps the token is told in 1 to 128 bytes")
        }
        guard (0...86400).contains(seconds ?? 60) else {
            throw Failure.usage("how long a token must last is told in seconds, up to a day")
        }
        guard rejected.map(RejectedToken.isDigest) ?? true else {
            throw Failure.usage("a rejected token is named by 16 to 64 digits of its SHA-256")
        }
        guard (0...120).contains(wait ?? 0) else { throw Failure.usage("the wait is told in seconds, up to 120") }
        self.seconds = seconds ?? 60
        self.rejected = rejected
        self.keeper = keeper
        self.wait = wait ?? 0
    }
}

/// What a program is to have of a session.
public struct GrantOptions: QueryInput, Equatable {
    public var program: Program
    public var session: SessionName
    /// Nil for those of the session.
    public var scopes: Scopes?
    /// Empty for those of the session.
    public var resources: [ResourceIndicator]
    /// At least one.
    public var kinds: [TokenKind]
    public var life: AllowOptions

    public enum Name: String, CaseIterable, Sendable { case program, session, scopes, resources, kinds, when, seconds }

    public init(
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

    public init(_ query: VerbQuery<Name>) throws {
        guard let program = query[.program].flatMap(Program.init) else { throw Failure.badProgram }
        guard let session = query[.session].flatMap(SessionName.init) else {
            throw Failure.usage("a grant names the session by its name")
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

    public func write(to query: inout VerbQuery<Name>) {
        query[.program] = program.text
        query[.session] = session.text
        query[.scopes] = scopes?.text
        query[.resources] = resources.isEmpty ? nil : resources.map(\.text).joined(separator: " ")
        query[.kinds] = kinds == [.access] ? nil : kinds.map(\.rawValue).joined(separator: " ")
        query[.when] = life.use.rawValue
        query[.seconds] = life.seconds.map { String($0) }
    }
}

/// How long a program may have what it was allowed, and when.
public struct AllowOptions: QueryInput, Equatable {
    public var use: ProgramGrant.Use
    /// Nil for no end.
    public var seconds: Int64?

    public enum Name: String, CaseIterable, Sendable { case when, seconds }

    /// Throws a usage failure for a life of no time, or of more than ten years.
    public init(_ use: ProgramGrant.Use = .open, seconds: Int64? = nil) throws {
        guard seconds.map({ (1...315_360_000).contains($0) }) ?? true else {
            throw Failure.usage("a grant lives for some seconds, up to ten years")
        }
        self.use = use
        self.seconds = seconds
    }

    public init(_ query: VerbQuery<Name>) throws { try self.init(when: query[.when], seconds: query[.seconds]) }

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

    public func write(to query: inout VerbQuery<Name>) {
        query[.when] = use.rawValue
        query[.seconds] = seconds.map { String($0) }
    }
}

extension Scopes {
    /// The scopes that somebody names, each text one or several with spaces between. Throws a failure where none is named, since no scope
    /// at all means all of them at an issuer.
    public static func named(in texts: [String]) throws(Failure) -> Scopes {
        guard let scopes = Scopes(texts.joined(separator: " ")), !scopes.isEmpty else { throw .badScope }
        return scopes
    }
}

extension Failure {
    /// A text is no scope.
    public static let badScope = Failure.usage(
        "this is not a scope", hint: "scopes are printable ASCII without spaces, \" and \\")
    /// A text is no address of a service.
    public static let badResource = Failure.usage(
        "this is not the address of a service", hint: "it begins with https:// and has no #")
    /// An ID token is for nobody in particular.
    public static let aimedIDToken = Failure.usage("an ID token has no scopes and no services")
    /// A text names no program.
    public static let badProgram = Failure.usage(
        "this does not name a program", hint: "for example: unit:backup.service, app:org.fern.Mail, path:/usr/bin/fern")
}
