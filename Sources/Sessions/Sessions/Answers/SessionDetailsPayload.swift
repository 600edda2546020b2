package import Basics
import Display
import FoundationEssentials
import SessionModel

/// The answer of `sessions show`: all that is known of a session but its secrets.
package struct SessionDetailsPayload: Codable, Sendable, Equatable {
    package struct Profile: Codable, Sendable, Equatable {
        @OrNull package var name: String?
        @OrNull package var email: String?
    }

    package struct Client: Codable, Sendable, Equatable {
        package var id: String
        /// Whether this program registered itself.
        package var registered: Bool
    }

    package struct Endpoints: Codable, Sendable, Equatable {
        package var authorization: String
        package var token: String
        @OrNull package var revocation: String?
        @OrNull package var endSession: String?
    }

    package struct Token: Codable, Sendable, Equatable {
        /// `access` or `id`.
        package var kind: String
        /// How an access token is presented: `Bearer`, or the issuer's own word; null for an ID token.
        @OrNull package var type: String?
        package var scopes: [String]
        package var resources: [String]
        /// The other programs that an ID token is for, in the issuer's words; empty for an access token.
        package var otherAudiences: [String]
        @OrNull package var expiresAt: Timestamp?
    }

    package var session: SessionPayload
    /// Null where the issuer does not speak OpenID Connect.
    @OrNull package var profile: Profile?
    /// The person's ways of authentication, in the issuer's words (`amr`); empty where the issuer names none.
    package var amr: [String]
    package var client: Client
    package var endpoints: Endpoints
    /// The certificates of the authorities that are trusted for this session besides the system's, in PEM form.
    package var authorities: [String]
    package var tokens: [Token]
    /// The ids of the grants for this session.
    package var grants: [String]
    /// The ids of the sites that get its tokens.
    package var sites: [String]

    init(
        _ session: SignIn, _ tokens: TokenSet?, isUnsaved: Bool, _ bound: BoundToSession,
        by signOutClock: SignOutClock, at now: Moment
    ) {
        self.session = SessionPayload(session, tokens, isUnsaved: isUnsaved, by: signOutClock, at: now)
        profile = session.identity.map { identity in
            Profile(
                name: identity.name.map { DisplayText($0).line }, email: identity.email.map { DisplayText($0).line })
        }
        amr = (session.identity?.amr ?? []).prefix(16).map { DisplayText($0).line(within: 60) }
        client = Client(id: DisplayText(session.client.id).line, registered: session.client.isRegisteredHere)
        let issuer = session.issuer
        endpoints = Endpoints(
            authorization: issuer.authorizationEndpoint.text, token: issuer.tokenEndpoint.text,
            revocation: issuer.revocationEndpoint?.text, endSession: issuer.endSessionEndpoint?.text)
        authorities = issuer.authorities?.certificates ?? []
        let isRefreshable = tokens?.isRefreshable ?? false
        let access = (tokens?.access ?? []).compactMap { token -> Token? in
            let left = token.secondsLeft(at: now, isRefreshable: isRefreshable)
            guard !token.isDoubtful, left != 0 else { return nil }
            let type =
                switch token.type {
                case .bearer: "Bearer"
                case .other(let word): DisplayText(word).line(within: 40)
                }
            return Token(
                kind: "access", type: type, scopes: token.scopes.all,
                resources: (token.aim.resources.isEmpty ? session.resources : token.aim.resources).map(\.text),
                otherAudiences: [],
                expiresAt: token.goodUntil(at: now, isRefreshable: isRefreshable).map { Timestamp($0) })
        }
        let id = tokens?.idToken.map { token in
            Token(
                kind: "id", type: nil, scopes: [], resources: [],
                otherAudiences: token.audiences(besides: session.client.id).prefix(16).map {
                    DisplayText($0).line(within: 200)
                }, expiresAt: nil)
        }
        self.tokens = access + [id].compactMap(\.self)
        (grants, sites) = (bound.grants, bound.sites)
    }
}

/// The ids of the grants and sites that are bound to a session and end with it.
struct BoundToSession {
    var grants: [String] = []
    var sites: [String] = []
}
