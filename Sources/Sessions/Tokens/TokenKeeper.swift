public import Basics
import FoundationEssentials

/// Hands out the tokens of sessions, and renews them (design 7.2 to 7.5). Nothing else reads a refresh token, but for a logout.
///
/// The order: a mark is written before a refresh token leaves, the answer is stored before anybody judges it, and what was judged is
/// handed out last. So a crash at any point loses nothing that was not lost in the network.
public struct TokenKeeper: Sendable {
    private let service: any IssuerService
    private let store: any SessionStore
    private let clock: Clock
    private let holdInterrupts: @Sendable (Bool) -> Void

    /// `holdInterrupts`: called with true while a refresh token may be spent and its answer is not stored yet, so that the person does
    /// not end the process then.
    public init(
        service: any IssuerService, store: any SessionStore, clock: Clock,
        holdInterrupts: @escaping @Sendable (Bool) -> Void = { _ in }
    ) {
        self.service = service
        self.store = store
        self.clock = clock
        self.holdInterrupts = holdInterrupts
    }

    /// A token that lasts for `seconds` more, renewed if need be. Throws `SessionError`, and what the store throws.
    ///
    /// If a renewal fails and the old token is still good for a while, that one is handed out.
    public func token(
        of session: SignIn, for aim: TokenAim = .whole, lasting seconds: Int64
    ) async throws -> AccessToken {
        try demand(aim, within: session)
        if let ready = try ready(try read(session), session, aim, seconds) { return ready }
        let turn: any HeldTurn
        do {
            turn = try await store.turn(of: session, clock: clock)
        } catch let error as SessionError {
            // What is still good will do while somebody else renews.
            if let old = try usable(try read(session), session, aim) { return old }
            throw error
        }
        defer { turn.end() }
        // Another process may have renewed it while this one waited: then nothing is sent.
        let tokens = try await judged(try read(session), of: session)
        if let ready = try ready(tokens, session, aim, seconds) { return ready }
        return try await renew(tokens, session, aim, seconds)
    }

    private func read(_ session: SignIn) throws -> TokenSet {
        guard let tokens = try store.tokens(of: session.id) else {
            throw SessionError.noSession(wanted: session.name.text, near: [])
        }
        return tokens
    }

    private func demand(_ aim: TokenAim, within session: SignIn) throws {
        let scopes = aim.scopes?.all.filter { !session.granted.contains($0) } ?? []
        let resources = aim.resources.filter { !session.resources.contains($0) }.map(\.text)
        guard scopes.isEmpty, resources.isEmpty else { throw SessionError.beyond(session.name, scopes + resources) }
    }

    // MARK: What is there already

    /// A token that can be handed out as it is. Nil if a renewal must be tried first; throws when that cannot help.
    private func ready(
        _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim, _ seconds: Int64
    ) throws -> AccessToken? {
        switch tokens.end {
        case .changed, .signedOut: throw SessionError.signedOut(session.name, tokens.end ?? .changed)
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

    private func renew(
        _ found: TokenSet, _ session: SignIn, _ aim: TokenAim, _ seconds: Int64
    ) async throws -> AccessToken {
        guard let secret = found.refreshToken?.secret else { throw SessionError.ranOut(session.name) }
        let old = try usable(found, session, aim)
        if let rest = found.rest?.secondsLeft(at: Moment(clock)), rest > 0 {
            if let old { return old }
            throw SessionError.renewal(
                session.name,
                .later(reason: "the issuer of \(session.name.text) wants to be left alone", retryAfter: rest))
        }
        let request = RefreshRequest(
            scopes: aim.scopes ?? (found.isExplicit ? session.granted : nil),
            resources: aim.resources.isEmpty ? session.resources : aim.resources)
        var tokens = found
        var machine = RefreshMachine(generation: found.generation, mark: found.mark)
        func hasGoodToken() -> Bool { old?.lasts(0, at: Moment(clock), isRefreshable: true) ?? false }
        var effect = machine.start(at: Moment(clock), hasGoodToken: hasGoodToken())
        defer { holdInterrupts(false) }
        while true {
            switch effect {
            case .write(let mark):
                tokens.mark = mark
                try store.write(tokens, of: session.id)
                effect = machine.marked()
            case .send:
                holdInterrupts(true)
                let answer = await service.refresh(secret, request, as: session.client, at: session.issuer)
                effect = machine.answered(answer, at: Moment(clock), hasGoodToken: hasGoodToken())
            case .wait(let seconds):
                holdInterrupts(false)
                try await clock.sleep(for: .seconds(seconds))
                effect = machine.waited(until: Moment(clock))
            case .store(let grant, _):
                return try await keep(grant, tokens, session, aim)
            case .useOld:
                guard let old else { throw SessionError.ranOut(session.name) }
                return old
            case .end(let reason):
                try store.write(tokens.ended(reason), of: session.id)
                if let old, hasGoodToken() { return old }
                throw SessionError.signedOut(session.name, reason)
            case .fail(let failure, let clearsMark):
                if clearsMark {
                    tokens.mark = nil
                    if case .later(_, let seconds?) = failure {
                        tokens.rest = TokenSet.Rest(seconds, since: Moment(clock))
                    }
                    try store.write(tokens, of: session.id)
                }
                if let old, hasGoodToken(), failure.isPassing { return old }
                throw SessionError.renewal(session.name, failure)
            }
        }
    }

    /// Stores what a renewal brought, then judges it, then hands it out.
    private func keep(
        _ grant: TokenGrant, _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim
    ) async throws -> AccessToken {
        var next = tokens.renewed(by: grant, for: aim, scopes: aim.scopes ?? session.granted, at: Moment(clock))
        if grant.idToken != nil, session.identity != nil { next.unjudgedSince = grant.serverTime ?? clock.now() }
        try await persist(next, of: session)
        next = try await judged(next, of: session)
        guard let token = next.token(for: aim) else { throw SessionError.ranOut(session.name) }
        if case .other(let type) = token.type { throw SessionError.unknownType(session.name, type) }
        return token
    }

    /// The issuer has spent the old token, so a failure to write is not taken for an answer at once.
    private func persist(_ tokens: TokenSet, of session: SignIn) async throws {
        for pause in [1, 4] {
            do { return try store.write(tokens, of: session.id) } catch let error as StoreError
                where [.busy, .unusable].contains(error.code)
            {
                try await clock.sleep(for: .seconds(pause))
            }
        }
        try store.write(tokens, of: session.id)
    }

    /// Judges the ID token of the last renewal, where that was not done yet. A wrong one ends the session.
    private func judged(_ tokens: TokenSet, of session: SignIn) async throws -> TokenSet {
        guard let since = tokens.unjudgedSince, tokens.end == nil, let identity = session.identity,
            let newest = tokens.access.first
        else { return tokens }
        let grant = TokenGrant(
            accessToken: newest.token.secret, type: newest.type, idToken: tokens.idToken?.secret, serverTime: since)
        do {
            try await service.judge(renewal: grant, of: identity, as: session.client, at: session.issuer)
        } catch {
            guard case .contradiction = error else { throw SessionError.unjudged(session.name, error) }
            try store.write(tokens.ended(.changed), of: session.id)
            throw SessionError.signedOut(session.name, .changed)
        }
        var tokens = tokens
        tokens.unjudgedSince = nil
        try store.write(tokens, of: session.id)
        return tokens
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

extension SessionStore {
    /// Waits for the turn of a session, for 45 seconds. Throws `SessionError` `busy`.
    func turn(of session: SignIn, clock: Clock) async throws -> any HeldTurn {
        let deadline = clock.moment() + .seconds(45)
        while true {
            switch try takeTurn(of: session.id) {
            case .taken(let turn): return turn
            case .held(let holder):
                guard clock.moment() < deadline else { throw SessionError.busy(session.name, by: holder) }
                try await clock.sleep(for: .milliseconds(50))
            }
        }
    }
}
