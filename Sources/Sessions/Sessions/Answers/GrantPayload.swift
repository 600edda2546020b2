package import Basics
import Display
package import FoundationEssentials
package import SessionModel

/// A program as JSON. Safe to show.
package struct ProgramPayload: Codable, Sendable, Equatable {
    /// `snap`, `app`, `unit`, `path`, `script` or `terminal`; of grants by earlier versions also `flatpak`.
    package var kind: String
    package var name: String

    package init(_ program: Program) {
        kind = program.kind.rawValue
        name = DisplayText(program.name).line
    }

    /// `kind:name`, as `grants add` takes it.
    package var text: String { "\(kind):\(name)" }
}

/// A grant as JSON. Safe to show.
package struct GrantPayload: Codable, Sendable, Equatable {
    package var id: String
    package var program: ProgramPayload
    /// Null where the session is gone.
    @OrNull package var session: String?
    package var scopes: [String]
    package var resources: [String]
    /// `access`, `id` or both.
    package var kinds: [String]
    /// `open`, `unlocked` or `asked`.
    package var when: String
    package var status: Status
    package var createdAt: Timestamp
    @OrNull package var expiresAt: Timestamp?
    /// To the minute; null where it was not used yet.
    @OrNull package var lastUsedAt: Timestamp?
    /// How many tokens it gave.
    package var uses: Int

    package enum Status: String, Codable, Sendable {
        case active, over
        /// The program's file is not there.
        case gone
        /// No program can be identified as its owner.
        case unusable
    }

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
            ? .over
            : !grant.program.canBeFound
                ? .unusable : grant.program.isFileGone ? .gone : .active
        createdAt = Timestamp(grant.createdAt)
        expiresAt = grant.expiresAt.map { Timestamp($0) }
        lastUsedAt = grant.lastUsedAt.map { Timestamp($0) }
        uses = grant.uses
    }
}

/// The answer of `grants`.
package struct GrantsPayload: Codable, Sendable, Equatable {
    package var grants: [GrantPayload]
    /// Grants that cannot be read; present only if there are any.
    package var failures: [DamagedRowsPayload]?

    package init(_ grants: [GrantPayload], failures: [DamagedRowsPayload]? = nil) {
        self.grants = grants
        self.failures = failures
    }
}

/// The answer of `grants add`.
package struct OneGrantPayload: Codable, Sendable, Equatable {
    package var grant: GrantPayload

    package init(_ grant: GrantPayload) { self.grant = grant }
}

/// The answer of `grants revoke`.
package struct RevokedGrantPayload: Codable, Sendable, Equatable {
    package var revoked: GrantPayload
    /// Until when the program's tokens may be good; null if none is good, or if the issuer does not say for how long.
    @OrNull package var tokensUntil: Timestamp?
    /// Whether the issuer ended all tokens that the program had; null where it was not asked to.
    @OrNull package var cut: Bool?

    init(_ grant: GrantPayload, tokensUntil: Date?, isCut: Bool?) {
        revoked = grant
        self.tokensUntil = tokensUntil.map { Timestamp($0) }
        cut = isCut
    }
}

/// A program's request that nobody has answered yet, as JSON. Safe to show.
package struct RequestPayload: Codable, Sendable, Equatable {
    package var id: String
    package var at: Timestamp
    package var program: ProgramPayload
    /// The processes that asked, nearest first.
    package var requester: [String]
    /// Whether other programs of this person could change the program's file.
    package var changeable: Bool
    /// The program's own claims about itself; null without any.
    @OrNull package var claims: Claims?
    /// Null if several sessions fit, as are `account` and `host`: see `choices`.
    @OrNull package var session: String?
    /// The account's name for the person; null where the issuer does not speak OpenID Connect.
    @OrNull package var account: String?
    /// The issuer's host.
    @OrNull package var host: String?
    /// Empty where several sessions fit.
    package var scopes: [String]
    package var resources: [String]
    /// The sessions that fit, with the tokens that the program would get from each.
    package var choices: [Choice]
    /// `access` or `id`.
    package var kinds: [String]
    package var expiresAt: Timestamp

    /// The program's own words, which prove nothing.
    package struct Claims: Codable, Sendable, Equatable {
        package var name: String
    }

    /// The tokens that a program would get of one session.
    package struct Choice: Codable, Sendable, Equatable {
        package var session: String
        @OrNull package var account: String?
        package var host: String
        package var scopes: [String]
        package var resources: [String]

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
    package func choice(of name: String?) throws(SessionError) -> Choice {
        let named = choices.filter { name == nil || $0.session == name }
        guard let choice = named.first, named.count == 1 else {
            throw .needsChoice(id: id, choices.map(\.session))
        }
        return choice
    }
}

/// The answer of `requests`.
package struct RequestsPayload: Codable, Sendable, Equatable {
    package var requests: [RequestPayload]

    package init(_ requests: [RequestPayload]) { self.requests = requests }
}

/// The answer of `allow` and `refuse`.
package struct AnsweredRequestPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var id: String
        /// `allowed` or `refused`.
        package var outcome: String
    }

    package var request: Content
    /// Null where it was refused.
    @OrNull package var grant: GrantPayload?

    package init(_ id: String, allowed grant: GrantPayload?) {
        request = Content(id: id, outcome: grant == nil ? "refused" : "allowed")
        self.grant = grant
    }
}
