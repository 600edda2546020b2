public import Basics
import Display
package import FoundationEssentials

/// A program as JSON. Safe to show.
public struct ProgramPayload: Codable, Sendable, Equatable {
    /// `snap`, `app`, `unit`, `path`, `script` or `terminal`; of grants by earlier versions also `flatpak`.
    public var kind: String
    public var name: String

    package init(_ program: Program) {
        kind = program.kind.rawValue
        name = DisplayText(program.name).line
    }

    /// `kind:name`, as `grants add` takes it.
    public var text: String { "\(kind):\(name)" }
}

/// A grant as JSON. Safe to show.
public struct GrantPayload: Codable, Sendable, Equatable {
    public var id: String
    public var program: ProgramPayload
    /// Null where the session is gone.
    @OrNull public var session: String?
    public var scopes: [String]
    public var resources: [String]
    /// `access`, `id` or both.
    public var kinds: [String]
    /// `open`, `unlocked` or `asked`.
    public var when: String
    /// `active`, `over`, `gone` where the program's file is not there, or `unusable` where no program can be identified
    /// as its owner.
    public var status: String
    public var createdAt: Timestamp
    @OrNull public var expiresAt: Timestamp?
    /// To the minute; null where it was not used yet.
    @OrNull public var lastUsedAt: Timestamp?
    /// How many tokens it gave.
    public var uses: Int

    init(_ grant: ProgramGrant, _ session: SessionName?, at now: Date) {
        id = grant.id
        program = ProgramPayload(grant.program)
        self.session = session?.text
        scopes = grant.scopes.all
        resources = grant.resources.map(\.text)
        kinds = grant.kinds.map(\.rawValue)
        when = grant.use.rawValue
        status =
            grant.isOver(at: now)
            ? "over"
            : !grant.program.canBeFound
                ? "unusable" : grant.program.isFileGone ? "gone" : "active"
        createdAt = Timestamp(grant.createdAt)
        expiresAt = grant.expiresAt.map { Timestamp($0) }
        lastUsedAt = grant.lastUsedAt.map { Timestamp($0) }
        uses = grant.uses
    }
}

/// The answer of `grants`.
public struct GrantsPayload: Codable, Sendable, Equatable {
    public var grants: [GrantPayload]
    /// Grants that cannot be read; present only if there are any.
    public var failures: [DamagedRowsPayload]?

    public init(_ grants: [GrantPayload], failures: [DamagedRowsPayload]? = nil) {
        self.grants = grants
        self.failures = failures
    }
}

/// The answer of `grants add`.
public struct OneGrantPayload: Codable, Sendable, Equatable {
    public var grant: GrantPayload

    public init(_ grant: GrantPayload) { self.grant = grant }
}

/// The answer of `grants revoke`.
public struct RevokedGrantPayload: Codable, Sendable, Equatable {
    public var revoked: GrantPayload
    /// Until when the program's tokens may be good; null if none is good, or if the issuer does not say for how long.
    @OrNull public var tokensUntil: Timestamp?
    /// Whether the issuer ended all tokens that the program had; null where it was not asked to.
    @OrNull public var cut: Bool?

    init(_ grant: GrantPayload, tokensUntil: Date?, isCut: Bool?) {
        revoked = grant
        self.tokensUntil = tokensUntil.map { Timestamp($0) }
        cut = isCut
    }
}

/// A program's request that nobody has answered yet, as JSON. Safe to show.
public struct RequestPayload: Codable, Sendable, Equatable {
    public var id: String
    public var at: Timestamp
    public var program: ProgramPayload
    /// The processes that asked, nearest first.
    public var requester: [String]
    /// Whether other programs of this person could change the program's file.
    public var changeable: Bool
    /// The program's own claims about itself; null without any.
    @OrNull public var claims: Claims?
    /// Null if several sessions fit, as are `account` and `host`: see `choices`.
    @OrNull public var session: String?
    /// The account's name for the person; null where the issuer does not speak OpenID Connect.
    @OrNull public var account: String?
    /// The issuer's host.
    @OrNull public var host: String?
    /// Empty where several sessions fit.
    public var scopes: [String]
    public var resources: [String]
    /// The sessions that fit, with the tokens that the program would get from each.
    public var choices: [Choice]
    /// `access` or `id`.
    public var kinds: [String]
    public var expiresAt: Timestamp

    /// The program's own words, which prove nothing.
    public struct Claims: Codable, Sendable, Equatable {
        public var name: String
    }

    /// The tokens that a program would get of one session.
    public struct Choice: Codable, Sendable, Equatable {
        public var session: String
        @OrNull public var account: String?
        public var host: String
        public var scopes: [String]
        public var resources: [String]

        package init(_ session: SignIn, _ aim: TokenAim) {
            self.session = session.name.text
            account = session.identity.map { DisplayText($0.account).line }
            host = session.issuer.issuer.host
            scopes = (aim.scopes ?? session.granted).all
            resources = (aim.resources.isEmpty ? session.resources : aim.resources).map(\.text)
        }
    }

    /// `choices`: at least one.
    package init(
        id: String, at: Date, program: Program, claim: ClaimedName?, requester: Requester, isChangeable: Bool,
        choices: [Choice], kind: TokenKind, until end: Date
    ) {
        let only = choices.count == 1 ? choices.first : nil
        self.choices = choices
        claims = claim.map { Claims(name: $0.shown.line) }
        session = only?.session
        account = only?.account
        host = only?.host
        scopes = only?.scopes ?? []
        resources = only?.resources ?? []
        kinds = [kind.rawValue]
        self.id = id
        self.at = Timestamp(at)
        self.program = ProgramPayload(program)
        self.requester = requester.commands.map { DisplayText($0).line }
        changeable = isChangeable
        expiresAt = Timestamp(end)
    }
}

extension RequestPayload {
    /// The session that the person names, or the only one. Throws `SessionError` `needsChoice`.
    public func choice(of name: String?) throws(SessionError) -> Choice {
        let named = choices.filter { name == nil || $0.session == name }
        guard let choice = named.first, named.count == 1 else {
            throw .needsChoice(id: id, choices.map(\.session))
        }
        return choice
    }
}

/// The answer of `requests`.
public struct RequestsPayload: Codable, Sendable, Equatable {
    public var requests: [RequestPayload]

    public init(_ requests: [RequestPayload]) { self.requests = requests }
}

/// The answer of `allow` and `refuse`.
public struct AnsweredRequestPayload: Codable, Sendable, Equatable {
    public struct Content: Codable, Sendable, Equatable {
        public var id: String
        /// `allowed` or `refused`.
        public var outcome: String
    }

    public var request: Content
    /// Null where it was refused.
    @OrNull public var grant: GrantPayload?

    public init(_ id: String, allowed grant: GrantPayload?) {
        request = Content(id: id, outcome: grant == nil ? "refused" : "allowed")
        self.grant = grant
    }
}
