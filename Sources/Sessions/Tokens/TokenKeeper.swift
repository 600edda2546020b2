public import Basics
public import FoundationEssentials

/// Hands out the tokens of sessions, and renews them (design 7.2 to 7.5). Nothing else reads a refresh token, but for a logout.
///
/// The order: a mark is written before a refresh token leaves, the answer is stored before anybody judges it, and what was judged is
/// handed out last. So a crash at any point loses nothing that was not lost in the network.
public struct TokenKeeper: Sendable {
    let service: any IssuerService
    let store: any SessionStore
    let clock: Clock
    private let signOutClock: SignOutClock
    let revoking: Revoking
    let notes: NoteMaker
    let interrupts: Interrupts
    let tellUnstored: @Sendable (SessionName) -> Void

    /// `signOutClock`: says which sessions' time is over. `makeID`: makes a UUID. `tellUnstored`: called once when the answer of a
    /// renewal cannot be written for a while, which is then tried until it can or an interrupt is pending. `requester`: for the log.
    public init(
        service: any IssuerService, store: any SessionStore, clock: Clock, signOutClock: SignOutClock,
        makeID: @escaping @Sendable () throws -> String, requester: Requester? = nil, interrupts: Interrupts = .none,
        tellUnstored: @escaping @Sendable (SessionName) -> Void = { _ in }
    ) {
        self.service = service
        self.store = store
        self.clock = clock
        self.signOutClock = signOutClock
        revoking = Revoking(service: service, clock: clock, makeID: makeID)
        notes = NoteMaker(clock: clock, makeID: makeID, requester: requester)
        self.interrupts = interrupts
        self.tellUnstored = tellUnstored
    }

    /// A token that lasts for `seconds` more, renewed if need be. `rejected`: a service rejected this one, so that it is renewed
    /// once, if it is the one that would be handed out. Throws `SessionError`, and what the store throws.
    ///
    /// If a renewal fails and the old token is still good for a while, that one is handed out, unless it was rejected.
    public func token(
        of session: SignIn, for aim: TokenAim = .whole, lasting seconds: Int64, rejected: RejectedToken? = nil
    ) async throws -> AccessToken {
        try session.demand(aim)
        try demandTime(of: session)
        let found = try read(session)
        let isRejected = index(of: rejected, in: found, aim) != nil
        if !isRejected, let ready = try ready(found, session, aim, seconds) { return ready }
        let turn: any HeldTurn
        do {
            turn = try await store.turn(of: session, clock: clock)
        } catch let error as SessionError {
            // What is still good will do while somebody else renews.
            if !isRejected, let old = try usable(try read(session), session, aim) { return old }
            throw error
        }
        defer { turn.end() }
        // Another process may have renewed it while this one waited, or signed in again: then nothing is sent.
        guard let session = try store.sessions().first(where: { $0.id == session.id }) else { throw gone(session) }
        try session.demand(aim)
        try demandTime(of: session)
        let tokens = try await judged(try read(session), of: session)
        guard let index = index(of: rejected, in: tokens, aim) else {
            if let ready = try ready(tokens, session, aim, seconds) { return ready }
            return try await renew(tokens, session, aim, old: try usable(tokens, session, aim))
        }
        return try await renew(try rejecting(index, tokens, session), session, aim, old: nil)
    }

    /// A token for a program that keeps it, with the time at which it is to ask again (nil: never). If the same `process` asks earlier, its
    /// token was rejected. Throws as `token`.
    public func token(
        of session: SignIn, for aim: TokenAim, lasting seconds: Int64, keptBy process: String
    ) async throws -> (token: AccessToken, until: Date?) {
        let kept = try read(session).token(for: aim)
        // Times are told in whole seconds.
        let asksAgain = kept?.holders?.contains { $0.process == process && clock.now() < $0.until - 2 } ?? false
        let token = try await token(
            of: session, for: aim, lasting: seconds, rejected: asksAgain ? kept.map { RejectedToken($0) } : nil)
        let isRefreshable = try read(session).isRefreshable
        let until = token.renewedFrom(Moment(clock), isRefreshable: isRefreshable)
        // What cannot be noted does not keep a good token back.
        if let until, isRefreshable { try? await note(.init(process: process, until: until), of: token, session) }
        return (token, until)
    }

    private func note(_ holder: AccessToken.Holder, of token: AccessToken, _ session: SignIn) async throws {
        let turn = try await store.turn(of: session, clock: clock)
        defer { turn.end() }
        var tokens = try read(session)
        guard let index = tokens.access.firstIndex(where: { $0.token.isSame(as: token.token) }) else { return }
        let others = (tokens.access[index].holders ?? []).filter {
            $0.process != holder.process && $0.until > clock.now()
        }
        tokens.access[index].holders = others.suffix(15) + [holder]
        try write(tokens, of: session)
    }

    /// The token for this aim, if that is the rejected one.
    private func index(of rejected: RejectedToken?, in tokens: TokenSet, _ aim: TokenAim) -> Int? {
        guard let rejected, let index = tokens.access.firstIndex(where: { $0.aim == aim && !$0.isDoubtful }),
            rejected.applies(to: tokens.access[index], at: Moment(clock))
        else { return nil }
        return index
    }

    /// What the renewal after a rejection begins with. Throws `SessionError` `freshRejected` where none would help.
    private func rejecting(_ index: Int, _ tokens: TokenSet, _ session: SignIn) throws -> TokenSet {
        var tokens = tokens
        let now = Moment(clock)
        guard tokens.access[index].isBeyondRenewal(at: now) else {
            tokens.rejectedAt = now
            return tokens
        }
        if tokens.access[index].trial?.failedAt == nil {
            tokens.access[index].trial?.failedAt = now
            try write(tokens, of: session)
        }
        throw SessionError.freshRejected(session.name)
    }

    /// Throws `SessionError` `signedOut` where the time of the session is over, whether or not that was done yet.
    func demandTime(of session: SignIn) throws {
        if let reason = signOutClock.reason(toEnd: session, at: Moment(clock)) {
            throw SessionError.signedOut(session.name, reason)
        }
    }

    func gone(_ session: SignIn) -> SessionError { .noSession(wanted: session.name.text, near: []) }

    func read(_ session: SignIn) throws -> TokenSet {
        guard let tokens = try store.tokens(of: session.id) else { throw gone(session) }
        return tokens
    }

    // MARK: What is there already

    /// A token that can be handed out as it is. Nil if a renewal must be tried first; throws when that cannot help.
    private func ready(
        _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim, _ seconds: Int64
    ) throws -> AccessToken? {
        switch tokens.end {
        case .changed, .signedOut, .timeOver, .left: throw SessionError.signedOut(session.name, tokens.end ?? .changed)
        case .rejected, .interrupted, nil: break
        }
        if tokens.unjudgedSince != nil { return nil }
        let found = tokens.token(for: aim)
        if let found, case .other(let type) = found.type { throw SessionError.unknownType(session.name, type) }
        if let found, found.lasts(seconds, at: Moment(clock), isRefreshable: tokens.isRefreshable) { return found }
        if tokens.isRefreshable { return nil }
        if let old = try usable(tokens, session, aim) { return old }
        throw tokens.end.map { SessionError.signedOut(session.name, $0) } ?? .ranOut(session.name)
    }

    /// A token that is good for a while at least.
    private func usable(_ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim) throws -> AccessToken? {
        guard tokens.unjudgedSince == nil, let found = tokens.token(for: aim), found.type == .bearer else { return nil }
        return found.lasts(0, at: Moment(clock), isRefreshable: tokens.isRefreshable) ? found : nil
    }

    // MARK: Renewal. The caller has the turn.

    /// `old`: a token that may be handed out if nothing new comes.
    func renew(
        _ found: TokenSet, _ session: SignIn, _ aim: TokenAim, old: AccessToken?
    ) async throws -> AccessToken {
        guard found.isRefreshable, let secret = found.refreshToken?.secret else {
            throw found.end.map { SessionError.signedOut(session.name, $0) } ?? .ranOut(session.name)
        }
        if let rest = found.rest?.secondsLeft(at: Moment(clock)), rest > 0 {
            if let old { return old }
            throw SessionError.renewal(
                session.name,
                .later(reason: "the issuer of \(session.name.text) wants to be left alone", retryAfter: rest))
        }
        var tokens = found
        var machine = RefreshMachine(generation: found.generation, aim: aim, mark: found.mark)
        var hasSent = false
        func hasGoodToken() -> Bool { old?.lasts(0, at: Moment(clock), isRefreshable: true) ?? false }
        var effect = machine.start(at: Moment(clock), hasGoodToken: hasGoodToken())
        defer { interrupts.hold(false) }
        while true {
            switch effect {
            case .write(let mark):
                if hasSent { try endIfInterrupted(session) }
                tokens.mark = mark
                try write(tokens, of: session)
                effect = machine.marked()
            case .send:
                interrupts.hold(true)
                hasSent = true
                let request = request(for: tokens.mark?.aim ?? aim, tokens, session)
                let answer = await service.refresh(secret, request, as: session.client, at: session.issuer)
                if answer.doubtsClient { tokens.isClientInDoubt = true }
                effect = machine.answered(answer, at: Moment(clock), hasGoodToken: hasGoodToken())
            case .wait(let seconds):
                try endIfInterrupted(session)
                interrupts.hold(false)
                try await clock.sleep(for: .seconds(seconds))
                effect = machine.waited(until: Moment(clock))
            case .store(let grant, _):
                let sent = tokens.mark?.aim ?? aim
                let next = try await keep(grant, tokens, session, sent)
                if sent == aim { return try newest(of: next, session) }
                // An interrupted renewal for something else was completed: what is asked for now comes next.
                guard !interrupts.isPending() else { throw SessionError.declined }
                return try await renew(next, session, aim, old: nil)
            case .useOld:
                guard let old else { throw SessionError.ranOut(session.name) }
                return old
            case .end(let reason):
                try write(tokens.ended(reason), of: session, noting: try notes.ended(session, reason))
                if let old, hasGoodToken() { return old }
                throw SessionError.signedOut(session.name, reason)
            case .fail(let failure, let clearsMark):
                try note(failure, clearsMark, in: &tokens, of: session, wanting: aim)
                if let old, hasGoodToken(), failure.isPassing { return old }
                throw SessionError.renewal(session.name, failure)
            }
        }
    }

    private func request(for aim: TokenAim, _ tokens: TokenSet, _ session: SignIn) -> RefreshRequest {
        RefreshRequest(
            scopes: aim.scopes ?? (tokens.isExplicit ? session.granted : nil),
            resources: aim.resources.isEmpty ? session.resources : aim.resources,
            resourceParameter: session.extras.resourceParameter)
    }

    /// The mark stays, and so does what is good.
    private func endIfInterrupted(_ session: SignIn) throws {
        if interrupts.isPending() { throw SessionError.interrupted(session.name) }
    }

    /// Writes what a failure says about the next renewal.
    private func note(
        _ failure: RenewalFailure, _ clearsMark: Bool, in tokens: inout TokenSet, of session: SignIn,
        wanting aim: TokenAim
    ) throws {
        if clearsMark { tokens.mark = nil }
        switch failure {
        case .later(_, let seconds):
            if let seconds { tokens.rest = TokenSet.Rest(seconds, since: Moment(clock)) }
        // What was refused is not asked for again by whoever wants something else.
        case .refused: tokens.mark?.aim = aim
        case .unreachable, .noAnswer: if !clearsMark { return }
        }
        try write(tokens, of: session)
    }

    /// Stores what a renewal brought, then judges it.
    private func keep(
        _ grant: TokenGrant, _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim
    ) async throws -> TokenSet {
        var next = tokens.renewed(by: grant, for: aim, scopes: aim.scopes ?? session.granted, at: Moment(clock))
        if grant.idToken != nil, session.identity != nil { next.unjudgedSince = grant.serverTime ?? clock.now() }
        try await persist(next, of: session)
        interrupts.hold(false)
        return try await judged(next, of: session)
    }

    private func newest(of tokens: TokenSet, _ session: SignIn) throws -> AccessToken {
        guard let token = tokens.access.first else { throw SessionError.ranOut(session.name) }
        if case .other(let type) = token.type { throw SessionError.unknownType(session.name, type) }
        return token
    }
}

extension TokenAnswer {
    /// Whether it may mean that the issuer has forgotten the client.
    fileprivate var doubtsClient: Bool {
        guard case .rejected(let rejection) = self else { return false }
        return rejection.kind == .client || rejection.kind == .unexplained
    }
}

extension RenewalFailure {
    /// Whether it says nothing about the session, so that a token which is still good will do for now.
    fileprivate var isPassing: Bool {
        switch self {
        case .refused: false
        case .later, .unreachable, .noAnswer: true
        }
    }
}
