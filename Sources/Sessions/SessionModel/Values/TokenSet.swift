package import Basics
package import FoundationEssentials
package import Keys

/// The purpose of an access token: scopes and resources within those of the session. One token serves equal purposes.
package struct TokenAim: Sendable, Equatable, Codable {
    /// Nil for all that the session was granted.
    package var scopes: Scopes?
    /// Sorted; empty for those of the login.
    package var resources: [ResourceIndicator]

    package init(scopes: Scopes? = nil, resources: [ResourceIndicator] = []) {
        self.scopes = scopes
        self.resources = Set(resources).sorted()
    }

    /// Everything that the login granted.
    package static let whole = TokenAim()
}

/// An access token as it is kept.
package struct AccessToken: Sendable, Codable {
    package var token: SecretSlot
    package var type: TokenType
    package var aim: TokenAim
    /// The scopes that the issuer granted for it.
    package var scopes: Scopes
    package var receivedAt: Moment
    /// Seconds; nil where the issuer did not say.
    package var lifetime: Int64?
    /// Whether the token may have ended, or was replaced by a newer one. It is not handed out any more, and is ended with the session
    /// in case it lives on.
    package var isDoubtful = false
    /// Set for a token that replaced a token which a service had rejected.
    package var trial: Trial?

    /// It is not known yet whether the service takes fresh tokens at all.
    package struct Trial: Sendable, Equatable, Codable {
        /// When a service rejected this token as well, soon after it came.
        package var failedAt: Moment?
    }

    package init(_ grant: TokenGrant, for aim: TokenAim, scopes: Scopes, at moment: Moment) {
        token = SecretSlot(grant.accessToken)
        type = grant.type
        self.aim = aim
        self.scopes = grant.scopes ?? scopes
        receivedAt = moment
        lifetime = grant.lifetime
    }

    /// How long it can be used. A token whose issuer did not say is taken as good for five minutes where another can be had, and
    /// else until a service rejects it (nil).
    package func secondsLeft(at now: Moment, isRefreshable: Bool) -> Int64? {
        guard let lifetime = lifetime ?? (isRefreshable ? Self.usualLifetime : nil) else { return nil }
        return now.secondsLeft(of: lifetime, since: receivedAt)
    }

    /// When `secondsLeft` reaches 0, by the wall clock; nil if that is nil.
    package func goodUntil(at now: Moment, isRefreshable: Bool) -> Date? {
        (lifetime ?? (isRefreshable ? Self.usualLifetime : nil)).map { now.end(of: $0, since: receivedAt) }
    }

    /// Whether a renewal of this rejected token would be in vain, since the service takes no fresh token: this one replaced a
    /// rejected token, and came less than a minute ago or was rejected less than five minutes ago.
    package func isBeyondRenewal(at now: Moment) -> Bool {
        guard let trial else { return false }
        guard let failed = trial.failedAt else {
            return now.secondsInBoot(since: receivedAt).map { $0 < 60 } ?? false
        }
        return now.secondsInBoot(since: failed).map { $0 < 300 } ?? false
    }

    /// How many seconds a program may keep a token that is good for `seconds`: a minute less, or half of them,
    /// whichever is longer.
    package static func kept(of seconds: Int64) -> Int64 {
        max(seconds - 60, seconds / 2)
    }

    /// Whether it lasts for `seconds` more, as far as a new token of its kind would; nil: for as long as usual.
    package func lasts(_ seconds: Int64?, at now: Moment, isRefreshable: Bool) -> Bool {
        guard let left = secondsLeft(at: now, isRefreshable: isRefreshable) else { return true }
        let whole = Moment.usable(of: lifetime ?? Self.usualLifetime)
        return left > 0 && left >= Self.leastLife(seconds, ofNew: whole)
    }

    /// How many seconds a token must last to be handed out, if a new one can be used for `whole` seconds. `demanded`:
    /// the caller's demand.
    ///
    /// Without a demand, half of a short life is enough: otherwise each use would renew the token, and at some issuers
    /// a renewal ends the token before it, which others hold. For the same reason nine tenths are enough if even a new
    /// token would be too short-lived for the demand.
    package static func leastLife(_ demanded: Int64?, ofNew whole: Int64) -> Int64 {
        guard let demanded else { return min(usualLeastLife, whole / 2) }
        return demanded <= whole ? demanded : whole - whole / 10
    }

    package static let usualLeastLife: Int64 = 60

    fileprivate static let usualLifetime: Int64 = 300
}

/// The tokens of one session, and how far their renewal got. Each renewal makes the next generation.
package struct TokenSet: Sendable, Codable {
    package var generation: Int64
    /// Nil where the issuer gave none, and once the session has ended.
    package var refreshToken: SecretSlot?
    package var idToken: SecretSlot?
    /// Nil where there never was an ID token, and in earlier rows.
    package var idState: IDTokenState?
    /// The ID token of before, until the one of the last renewal is judged.
    var formerID: FormerIDToken?
    /// The newest first. Those that ran out are dropped at each renewal.
    package var access: [AccessToken]
    package var mark: RenewalMark?
    /// Set while the ID token of this generation is not judged yet, to the issuer's time of the answer. The ID token is not
    /// handed out.
    package var unjudgedSince: Date?
    /// The issuer wants no renewal before this rest is over.
    package var rest: Rest?
    /// Whether a renewal ends the access tokens of earlier ones, as some issuers do. Nil while that is not known, and in earlier rows.
    package var endsEarlier: Bool?
    /// Whether each renewal names its scopes: after a renewal that did, some issuers narrow all later ones.
    package var isExplicit: Bool
    /// Whether the issuer may have forgotten the client: a new login registers this program again.
    package var isClientInDoubt = false
    /// Set since a service rejected a token, until a renewal brings another.
    package var rejectedAt: Moment?
    /// The aims that the issuer refused lately. Earlier rows do not have them.
    var refusals: [AimRefusal]?
    package var end: EndReason?
    /// Why the answer to the last renewal could not be used; nil once a renewal succeeds. Earlier rows do not have it.
    package var trouble: String?

    struct FormerIDToken: Sendable, Codable {
        var token: SecretSlot
        var state: IDTokenState?
    }

    package struct Rest: Sendable, Equatable, Codable {
        package var since: Moment
        package var seconds: Int64

        /// At most an hour is believed. After a reboot the rest counts as over.
        package init(_ seconds: Int64, since: Moment) {
            self.since = since
            self.seconds = min(max(seconds, 0), 3600)
        }

        package func secondsLeft(at now: Moment) -> Int64 {
            now.secondsInBoot(since: since).map { max(0, seconds - $0) } ?? 0
        }
    }

    /// The most access tokens of one session.
    static let mostTokens = 16

    /// The first generation.
    package init(_ grant: TokenGrant, scopes: Scopes, at moment: Moment) {
        generation = 1
        refreshToken = grant.refreshToken.map { SecretSlot($0) }
        idToken = grant.idToken.map { SecretSlot($0) }
        idState = grant.idToken == nil ? nil : IDTokenState(at: moment)
        access = [AccessToken(grant, for: .whole, scopes: scopes, at: moment)]
        isExplicit = false
    }

    /// In place of tokens that cannot be read: none, of a session that must be signed in to again.
    package static let damaged = TokenSet(end: .damaged)

    private init(end: EndReason) {
        generation = 0
        access = []
        isExplicit = false
        self.end = end
    }

    package var isRefreshable: Bool { refreshToken != nil && end == nil }

    /// The token for an aim, unless a renewal made it doubtful.
    package func token(for aim: TokenAim) -> AccessToken? { access.first { $0.aim == aim && !$0.isDoubtful } }

    /// Every token that an issuer can end.
    package var all: [SecretSlot] { (refreshToken.map { [$0] } ?? []) + access.map(\.token) }

    /// The next generation, with the result of a renewal.
    package func renewed(by grant: TokenGrant, for aim: TokenAim, scopes: Scopes, at now: Moment) -> TokenSet {
        var next = self
        next.generation += 1
        next.refreshToken = grant.refreshToken.map { SecretSlot($0) } ?? refreshToken
        if let newer = grant.idToken {
            next.formerID = idToken.map { FormerIDToken(token: $0, state: idState) }
            next.idToken = SecretSlot(newer)
            var state = IDTokenState(at: now)
            state.rejectedAt = idState?.rejectedAt
            next.idState = state
        }
        next.idState?.isRenewed = grant.idToken != nil
        next.idState?.isDropped = nil
        next.refusals = refusals?.filter { $0.aim != aim && $0.isKept(at: now) }
        let kept = access.filter { ($0.secondsLeft(at: now, isRefreshable: true) ?? 1) > 0 }.map { token in
            var token = token
            token.isDoubtful = token.isDoubtful || token.aim == aim || endsEarlier == true
            return token
        }
        var newest = AccessToken(grant, for: aim, scopes: scopes, at: now)
        if rejectedAt != nil { newest.trial = AccessToken.Trial() }
        next.rejectedAt = nil
        // Those that can still be handed out come first.
        let others = kept.filter { !$0.isDoubtful } + kept.filter(\.isDoubtful)
        next.access = [newest] + others.prefix(Self.mostTokens - 1)
        next.mark = nil
        next.rest = nil
        next.trouble = nil
        next.isClientInDoubt = false
        next.isExplicit = isExplicit || aim != .whole
        return next
    }

    /// The token set once it is known whether renewals end earlier tokens.
    package func knowing(endsEarlier: Bool) -> TokenSet {
        var set = self
        set.endsEarlier = endsEarlier
        if endsEarlier { for index in set.access.indices.dropFirst() { set.access[index].isDoubtful = true } }
        return set
    }

    /// The next generation, by an answer that brought a refresh token and nothing else that can be used.
    package func renewed(by refreshToken: any Secret, _ trouble: String) -> TokenSet {
        var next = self
        next.generation += 1
        next.refreshToken = SecretSlot(refreshToken)
        next.mark = nil
        next.trouble = trouble
        return next
    }

    /// Forgets an ID token that was not asked for.
    package mutating func dropIDToken() {
        idToken = nil
        idState = nil
        formerID = nil
    }

    /// The token set without expired access tokens, except one that is still needed to judge its ID token.
    package func swept(at now: Moment) -> TokenSet {
        var swept = self
        let judged = access.prefix(unjudgedSince == nil ? 0 : 1)
        let others = access.dropFirst(judged.count)
        swept.access = judged + others.filter { ($0.secondsLeft(at: now, isRefreshable: isRefreshable) ?? 1) > 0 }
        return swept
    }

    /// Whether the answer to the last renewal was lost, and may be had once more now.
    package func awaitsAnswer(at now: Moment) -> Bool {
        guard isRefreshable, unjudgedSince == nil, let mark, mark.generation == generation else { return false }
        return mark.isToBeResent(at: now)
    }

    /// The token set once the ID token of the last renewal was found right.
    package func withNewestIDToken() -> TokenSet {
        var set = self
        set.unjudgedSince = nil
        set.formerID = nil
        return set
    }

    /// The token set without the ID token of the last renewal, which cannot be used for this reason, if it is known;
    /// the one of before takes its place. The access token stays good.
    package func withoutNewestIDToken(_ reason: String?) -> TokenSet {
        var set = self
        set.unjudgedSince = nil
        set.formerID = nil
        set.idToken = formerID?.token
        if let state = formerID?.state { set.idState = state }
        set.idState?.isRenewed = true
        set.idState?.fault = reason
        return set
    }

    /// The token set of an ended session: nothing can be renewed any more. Tokens that are still good for a while may
    /// be handed out, unless the person signed out or the session became somebody else's.
    package func ended(_ reason: EndReason) -> TokenSet {
        var ended = self
        ended.end = reason
        ended.mark = nil
        // Nothing is renewed any more, so a token without a known lifetime would seem good until it is rejected.
        if isRefreshable {
            for index in ended.access.indices where ended.access[index].lifetime == nil {
                ended.access[index].lifetime = AccessToken.usualLifetime
            }
        }
        // The tokens of somebody else's session stay sealed, so that a logout can end them at the issuer.
        if reason == .rejected || reason == .interrupted { ended.refreshToken = nil }
        return ended
    }
}

extension TokenSet {
    /// The token set of an ended session, without anything that could be used.
    package func wiped(_ reason: EndReason) -> TokenSet {
        var wiped = ended(reason)
        wiped.refreshToken = nil
        wiped.idToken = nil
        wiped.formerID = nil
        wiped.access = []
        wiped.unjudgedSince = nil
        return wiped
    }
}

extension SecretSlot {
    /// Compares the secrets, both of which are this program's own.
    package func isSame(as other: SecretSlot) -> Bool {
        secret.withBytes { mine in other.secret.withBytes { mine.elementsEqual($0) } }
    }
}
