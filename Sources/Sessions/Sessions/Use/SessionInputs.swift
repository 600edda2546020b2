package import Basics
package import SessionModel
import Verbs

// The inputs of the verbs of sessions. Each type names its members once, for both ends of the socket.

/// The terms of a token.
package struct TokenRequest: JSONInput, Equatable {
    /// A session's name, its issuer, or the address of a service that the session is for; nil for the only session.
    package var target: String?
    /// Nil for all that may be had.
    package var scopes: Scopes?
    package var resources: [ResourceIndicator]
    /// An ID token has no scopes and no resources.
    package var kind: TokenKind
    package var terms: TokenTerms

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case target, scopes, resources, kind, minTtl, rejected, wait, name
    }

    package init(target: String?, aim: TokenAim = .whole, kind: TokenKind = .access, _ terms: TokenTerms) {
        self.target = target
        self.kind = kind
        scopes = aim.scopes
        resources = aim.resources
        self.terms = terms
    }

    package init(from decoder: any Decoder) throws {
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
            wait: members.decodeIfPresent(Int64.self, forKey: .wait),
            name: members.decodeIfPresent(String.self, forKey: .name))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(target, forKey: .target)
        try members.encodeIfPresent(scopes?.all, forKey: .scopes)
        try members.encode(resources.map(\.text), forKey: .resources)
        try members.encode(kind.rawValue, forKey: .kind)
        try members.encodeIfPresent(terms.seconds, forKey: .minTtl)
        try members.encodeIfPresent(terms.rejected, forKey: .rejected)
        try members.encode(terms.wait, forKey: .wait)
        try members.encodeIfPresent(terms.name?.text.untrusted, forKey: .name)
    }

    var aim: TokenAim { TokenAim(scopes: scopes, resources: resources) }
}

/// The address of a request whose headers are wanted.
package struct HeadersRequest: JSONInput, Equatable {
    package var url: WebAddress
    /// The request's method; nil if it is not given. A bearer token is the same for each.
    package var method: HTTPToken?
    /// The `WWW-Authenticate` lines of the service's answer; empty for a challenge that could not be read, nil where there was none.
    package var challenge: [String]?
    /// Whether the token can be sent as a password, too (RFC 7617).
    package var password: Bool
    package var terms: TokenTerms

    package enum CodingKeys: String, CodingKey, CaseIterable {
        case url, method, challenge, password, minTtl, rejected, wait, name
    }

    package init(
        url: WebAddress, method: HTTPToken? = nil, challenge: [String]? = nil, password: Bool = false,
        _ terms: TokenTerms
    ) {
        self.url = url
        self.method = method
        self.challenge = challenge
        self.password = password
        self.terms = terms
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        url = try members.requestAddress(forKey: .url)
        method = try members.decodeIfPresent(String.self, forKey: .method).map { text in
            guard let method = HTTPToken(text) else { throw Failure.badMethod }
            return method
        }
        challenge = try members.decodeIfPresent([String].self, forKey: .challenge)
        password = try members.decodeIfPresent(Bool.self, forKey: .password) ?? false
        terms = try TokenTerms(
            lasting: members.decodeIfPresent(Int64.self, forKey: .minTtl),
            rejected: members.decodeIfPresent(String.self, forKey: .rejected),
            wait: members.decodeIfPresent(Int64.self, forKey: .wait),
            name: members.decodeIfPresent(String.self, forKey: .name))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(url.text, forKey: .url)
        try members.encodeIfPresent(method?.text, forKey: .method)
        try members.encodeIfPresent(challenge, forKey: .challenge)
        try members.encode(password, forKey: .password)
        try members.encodeIfPresent(terms.seconds, forKey: .minTtl)
        try members.encodeIfPresent(terms.rejected, forKey: .rejected)
        try members.encode(terms.wait, forKey: .wait)
        try members.encodeIfPresent(terms.name?.text.untrusted, forKey: .name)
    }
}

extension KeyedDecodingContainer {
    /// The address of a request to a service. Throws a usage failure for any other text.
    func requestAddress(forKey key: Key) throws -> WebAddress {
        do {
            return try WebAddress(decode(String.self, forKey: key))
        } catch let error as AddressError {
            throw Failure.usage(error.reason, hint: "give the whole address of the request")
        }
    }
}

/// The terms of a request for a token, for every kind of target.
package struct TokenTerms: Sendable, Equatable {
    /// How long it must last at least, in seconds; nil for as long as usual.
    package var seconds: Int64?
    /// The token that a service rejected, by the first 16 to 64 digits of its SHA-256: it is renewed once.
    package var rejected: String?
    /// How long the person may take to allow it, in seconds; 0 does not wait.
    package var wait: Int64
    /// The program's own name for itself.
    package var name: ClaimedName?

    /// Throws a usage failure for times that are out of range, and for a name that cannot be shown.
    package init(
        lasting seconds: Int64? = nil, rejected: String? = nil, wait: Int64? = nil, name: String? = nil
    ) throws {
        guard (0...86400).contains(seconds ?? 0) else {
            throw Failure.usage("how long a token must last is a number of seconds, at most a day")
        }
        guard rejected.map(RejectedToken.isDigest) ?? true else {
            throw Failure.usage("a rejected token is named by 16 to 64 digits of its SHA-256")
        }
        guard (0...120).contains(wait ?? 0) else { throw Failure.usage("the wait is a number of seconds, at most 120") }
        self.seconds = seconds
        self.rejected = rejected
        self.wait = wait ?? 0
        self.name = try name.map { text in
            guard let name = ClaimedName(text) else {
                throw Failure.usage("what a program calls itself has 1 to 60 characters, and no control characters")
            }
            return name
        }
    }
}

extension Scopes {
    /// The scopes that somebody names; each text holds one or several, separated by spaces. Throws a failure if none is named,
    /// since for an issuer no scope at all means all of them.
    package static func named(in texts: [String]) throws(Failure) -> Scopes {
        guard let scopes = Scopes(texts.joined(separator: " ")), !scopes.isEmpty else { throw .badScope }
        return scopes
    }
}

extension Failure {
    /// A text is no scope.
    package static let badScope = Failure.usage(
        "this is not a scope", hint: "scopes are printable ASCII without spaces, \" and \\")
    /// The text is not an issuer's address.
    package static let badIssuer = Failure.usage(
        "this is not the address of an issuer", hint: "it begins with https:// and has neither ? nor #")
    /// The text is not a service's address.
    package static let badResource = Failure.usage(
        "this is not the address of a service", hint: "it begins with https:// and has no #")
    /// A text is no method of a request.
    package static let badMethod = Failure.usage(
        "this is not the method of a request", hint: "it is a word such as GET, of at most 32 characters")
    /// An ID token was asked for with scopes or resources.
    package static let aimedIDToken = Failure.usage("an ID token has no scopes and no services")
    /// For a kind of program that an earlier version knew.
    package static let notToBeFound = Failure.usage(
        "no program can be known by a Flatpak id: any program of yours can make a sandbox with any id",
        hint: "see which names are safe: man countersign-sessions")
    /// A text names no program.
    package static let badProgram = Failure.usage(
        "this does not name a program", hint: "for example: unit:backup.service, app:org.fern.Mail, path:/usr/bin/fern")
}
