package import Basics
import Display
import FoundationEssentials
package import SessionModel

/// A session as JSON. Everything in it is safe to show; no secret is part of it.
package struct SessionPayload: Codable, Sendable, Equatable {
    package var name: String
    /// The issuer's identifier.
    package var issuer: String
    package var host: String
    /// `openid` or `oauth`.
    package var kind: String
    /// The account's name for the person; null where the issuer does not speak OpenID Connect.
    @OrNull package var account: String?
    @OrNull package var subject: String?
    /// `active`, `failing` (no token is good, and the issuer's last answer to a renewal could not be used) or `ended`.
    package var status: String
    /// Null while it is active.
    @OrNull package var reason: Reason?
    package var scopes: [String]
    package var resources: [String]
    @OrNull package var acr: String?
    @OrNull package var authenticatedAt: Timestamp?
    package var createdAt: Timestamp
    package var updatedAt: Timestamp
    /// When the access token runs out; null where there is none that is good, or its issuer did not say.
    @OrNull package var expiresAt: Timestamp?
    /// When the session will be signed out; null if never, or if it has ended.
    @OrNull package var signOutAt: Timestamp?
    /// Whether the session stays signed in at every time and event that would end it.
    package var keep: Bool
    /// Whether it renews by itself.
    package var refreshable: Bool
    /// Whether its newest tokens are on the disk: a full disk cannot take them.
    package var saved: Bool

    /// Why it ended or fails.
    package enum Reason: RawRepresentable, Codable, Sendable, Equatable {
        /// Written as the reason itself: `rejected`, `signed_out`, …
        case ended(EndReason)
        /// Its only token is no longer good.
        case ranOut
        /// It fails: the issuer's last answer to a renewal could not be used.
        case unusableAnswer

        package init?(rawValue: String) {
            switch rawValue {
            case "ran_out": self = .ranOut
            case "unusable_answer": self = .unusableAnswer
            default:
                guard let reason = EndReason(rawValue: rawValue) else { return nil }
                self = .ended(reason)
            }
        }

        package var rawValue: String {
            switch self {
            case .ended(let reason): reason.rawValue
            case .ranOut: "ran_out"
            case .unusableAnswer: "unusable_answer"
            }
        }
    }

    /// - Parameters:
    ///   - isUnsaved: whether the tokens of the last renewal could not be written, as far as this process knows.
    ///   - signOutClock: says when the session is to be signed out.
    package init(
        _ session: SignIn, _ tokens: TokenSet?, isUnsaved: Bool = false, by signOutClock: SignOutClock, at now: Moment
    ) {
        // Another process may have written the tokens meanwhile.
        saved = !isUnsaved || tokens?.mark == nil
        name = session.name.text
        issuer = DisplayText(session.issuer.issuer.text).line
        host = session.issuer.issuer.host
        kind = session.identity == nil ? "oauth" : "openid"
        account = session.identity.map { DisplayText($0.account).line }
        subject = session.identity.map { DisplayText($0.subject).line }
        scopes = session.granted.all
        resources = session.resources.map(\.text)
        acr = session.identity?.acr.map { DisplayText($0).line }
        authenticatedAt = session.identity?.authenticatedAt.map { Timestamp($0) }
        createdAt = Timestamp(session.createdAt)
        updatedAt = Timestamp(session.updatedAt)
        let isRefreshable = tokens?.isRefreshable ?? false
        let token = tokens?.token(for: .whole)
        let left = token?.secondsLeft(at: now, isRefreshable: isRefreshable)
        let hasRunOut = !isRefreshable && (token == nil || left == 0)
        // Once the session's time is over nothing is handed out, even before the sign-out is done.
        let end =
            tokens?.end?.isByPerson == true ? tokens?.end : signOutClock.reason(toEnd: session, at: now) ?? tokens?.end
        let ended = end.map(Reason.ended) ?? (hasRunOut ? .ranOut : nil)
        signOutAt = ended == nil ? signOutClock.end(of: session, at: now).map { Timestamp($0) } : nil
        keep = session.isKept
        refreshable = isRefreshable
        expiresAt =
            (left ?? 0) > 0 ? token?.goodUntil(at: now, isRefreshable: isRefreshable).map { Timestamp($0) } : nil
        let isFailing = ended == nil && tokens?.trouble != nil && (token == nil || left == 0)
        reason = isFailing ? .unusableAnswer : ended
        status = ended != nil ? "ended" : isFailing ? "failing" : "active"
    }
}

/// The answer of `sessions`.
package struct SessionsPayload: Codable, Sendable, Equatable {
    package var sessions: [SessionPayload]
    /// The rows of sessions and of all that belongs to them that cannot be read; present only if there are any.
    package var failures: [DamagedRowsPayload]?

    package init(_ sessions: [SessionPayload], failures: [DamagedRowsPayload]? = nil) {
        self.sessions = sessions
        self.failures = failures
    }
}

/// A program's view of the sessions that it has grants for. Safe to show.
package struct OwnSessionsPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var name: String
        /// As of `SessionPayload`.
        package var status: String
        /// When the access token runs out, as of `SessionPayload`.
        @OrNull package var expiresAt: Timestamp?
    }

    package var sessions: [Content]

    init(_ sessions: [SessionPayload]) {
        self.sessions = sessions.map { Content(name: $0.name, status: $0.status, expiresAt: $0.expiresAt) }
    }
}

/// The answer of `login`.
package struct OneSessionPayload: Codable, Sendable, Equatable {
    package var session: SessionPayload

    package init(_ session: SessionPayload) { self.session = session }
}

/// The answer of `token`. It holds a secret: it goes to the caller, and nowhere else.
package struct TokenPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var session: String
        package var issuer: String
        /// `access` or `id`.
        package var kind: String
        /// `Bearer`.
        package var type: String
        package var value: String
        package var scopes: [String]
        package var resources: [String]
        @OrNull package var expiresAt: Timestamp?
        @OrNull package var secondsLeft: Int64?
    }

    package var token: Content

    package init(_ token: AccessToken, of session: SignIn, isRefreshable: Bool, at now: Moment) {
        let left = token.secondsLeft(at: now, isRefreshable: isRefreshable)
        self.token = Content(
            session: session.name.text, issuer: DisplayText(session.issuer.issuer.text).line, kind: "access",
            type: "Bearer", value: token.token.secret.withBytes { String(decoding: $0, as: UTF8.self) },
            scopes: token.scopes.all,
            resources: (token.aim.resources.isEmpty ? session.resources : token.aim.resources).map(\.text),
            expiresAt: token.goodUntil(at: now, isRefreshable: isRefreshable).map { Timestamp($0) }, secondsLeft: left)
    }

    /// An ID token.
    init(_ token: TokenKeeper.IDToken, of session: SignIn, at now: Moment) {
        self.token = Content(
            session: session.name.text, issuer: DisplayText(session.issuer.issuer.text).line,
            kind: TokenKind.id.rawValue,
            type: "Bearer", value: token.token.secret.withBytes { String(decoding: $0, as: UTF8.self) }, scopes: [],
            resources: [], expiresAt: Timestamp(now.wall + TimeInterval(token.secondsLeft)),
            secondsLeft: token.secondsLeft)
    }

    /// The header that presents the token (RFC 6750 section 2.1).
    package var header: String { "Authorization: \(token.type) \(token.value)" }
}

/// The answer of `header`. It holds a secret, as `TokenPayload` does.
package struct HeadersPayload: Codable, Sendable, Equatable {
    package struct Header: Codable, Sendable, Equatable {
        package var name: String
        package var value: String
    }

    package var headers: [Header]
    package var session: String
    /// The site that fits; null where the session was signed in for a service that covers the address.
    @OrNull package var site: String?
    /// The service that the token is asked for; null where a site names none.
    @OrNull package var resource: String?
    @OrNull package var expiresAt: Timestamp?
    /// The user name that goes with the token where it is sent as a password; null where the site names none.
    @OrNull package var username: String?

    /// As they stand in a request.
    package var lines: [String] { headers.map { "\($0.name): \($0.value)" } }

    init(_ payload: TokenPayload, _ choice: TokenChoice) {
        headers = [Header(name: "Authorization", value: "\(payload.token.type) \(payload.token.value)")]
        session = payload.token.session
        site = choice.site?.id.text
        resource = choice.resource?.text
        expiresAt = payload.token.expiresAt
        username = choice.site?.userName
    }
}

/// The answer of `logout`.
package struct SignedOutPayload: Codable, Sendable, Equatable {
    package struct Content: Codable, Sendable, Equatable {
        package var name: String
        /// Whether the issuer ended its tokens.
        package var revoked: Bool
        /// Whether the issuer could not be reached, and will be notified later.
        package var owed: Bool
        /// Until when an access token is good that the issuer did not end although it was asked to; null if it ended
        /// all, or if that is not known.
        @OrNull package var goodUntil: Timestamp?
        /// Whether the issuer's page that signs a browser out was opened.
        package var browser: Bool
        /// The ids of the grants that went with it.
        package var grants: [String]
        /// The ids of the sites that went with it.
        package var sites: [String]
    }

    package var signedOut: [Content]
    /// The names of the sessions that stay signed in because the person keeps them.
    package var kept: [String]

    /// - Parameters:
    ///   - opened: the names of the sessions whose page was opened in a browser.
    ///   - kept: the names of the sessions that stay signed in.
    package init(_ ended: [EndedSessionPayload.Content], opened: Set<String> = [], kept: [String] = []) {
        signedOut = ended.map {
            Content(
                name: $0.name, revoked: $0.revoked, owed: $0.owed, goodUntil: $0.goodUntil,
                browser: opened.contains($0.name), grants: $0.grants, sites: $0.sites)
        }
        self.kept = kept
    }
}
