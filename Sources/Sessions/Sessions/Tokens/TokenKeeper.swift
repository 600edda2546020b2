package import Basics
import FoundationEssentials
package import SessionModel

/// Hands out the tokens of sessions, and renews them (oauth sections 7.2 to 7.5). Nothing else reads a refresh token, except to revoke it.
///
/// The order: a mark is written before a refresh token leaves, the answer is stored before anybody judges it, and a
/// token is handed out only after that. So a crash at any point loses nothing that was not lost in the network.
package struct TokenKeeper: Sendable {
    let service: any IssuerService
    let store: any SessionStore
    let clock: Clock
    private let signOutClock: SignOutClock
    let revoking: Revoking
    let notes: NoteMaker
    let interrupts: Interrupts
    let unsaved: UnsavedSessions
    let tellUnstored: TellUnstored

    /// Called if the answer of a renewal cannot be written for a while. `isRescued`: whether the rescue store keeps it meanwhile; if it
    /// does only later, this is called again.
    package typealias TellUnstored = @Sendable (_ session: SessionName, _ isRescued: Bool) -> Void

    /// `signOutClock`: says which sessions' time is over. `makeID`: makes a UUID. `requester`: for the log. `unsaved`: learns which
    /// sessions' tokens cannot be written; writing is tried until it succeeds or an interrupt is pending.
    package init(
        service: any IssuerService, store: any SessionStore, clock: Clock, signOutClock: SignOutClock,
        makeID: @escaping @Sendable () throws -> String, requester: Requester? = nil, interrupts: Interrupts = .none,
        unsaved: UnsavedSessions = UnsavedSessions(), tellUnstored: @escaping TellUnstored = { _, _ in }
    ) {
        self.service = service
        self.store = store
        self.clock = clock
        self.signOutClock = signOutClock
        revoking = Revoking(service: service, clock: clock, makeID: makeID)
        notes = NoteMaker(clock: clock, makeID: makeID, requester: requester)
        self.interrupts = interrupts
        self.unsaved = unsaved
        self.tellUnstored = tellUnstored
    }

    /// A token that lasts for `seconds` more, or nil for as long as usual, renewed if need be. `rejected`: the token
    /// that a service rejected; if it is the one to be handed out, it is renewed once. Throws `SessionError`, and the
    /// store's errors.
    ///
    /// If a renewal fails and the old token is still good for a while, the old token is handed out, unless it was
    /// rejected.
    package func token(
        of session: SignIn, for aim: TokenAim = .whole, lasting seconds: Int64?, rejected: RejectedToken? = nil
    ) async throws -> AccessToken {
        try session.demand(aim)
        try demandTime(of: session)
        let found = try read(session)
        let isRejected = index(of: rejected, in: found, aim) != nil
        let good = isRejected ? nil : try ready(found, session, aim, seconds)
        let turn: any HeldTurn
        if let good {
            // The process that has the turn is renewing already.
            guard found.awaitsAnswer(at: Moment(clock)), case .taken(let taken)? = try? store.takeTurn(of: session.id)
            else { return good }
            turn = taken
        } else {
            do { turn = try await store.turn(of: session, clock: clock) } catch {
                // A token that is still good will do while another process renews.
                guard !isRejected, let old = try usable(try read(session), session, aim) else { throw error }
                return old
            }
        }
        defer { turn.end() }
        // Another process may have renewed it while this one waited, or signed in again: then nothing is sent.
        guard let session = try store.sessions().first(where: { $0.id == session.id }) else { throw gone(session) }
        try session.demand(aim)
        try demandTime(of: session)
        let row = try read(session)
        let newest: TokenSet
        do { newest = try recovered(row, of: session) } catch  where !(error is SessionError) {
            // A token that is still good will do while it is not known whether there are newer ones.
            guard !isRejected, let old = try good ?? usable(row, session, aim) else { throw error }
            return old
        }
        let tokens = try await judged(newest, of: session)
        if let index = index(of: rejected, in: tokens, aim) {
            return try await renew(try rejecting(index, tokens, session), session, aim, old: nil)
        }
        guard let good = try ready(tokens, session, aim, seconds) else {
            return try await renew(tokens, session, aim, old: try usable(tokens, session, aim))
        }
        guard tokens.awaitsAnswer(at: Moment(clock)) else { return good }
        return try await completed(tokens, session, aim, good)
    }

    /// The token that `token` hands out, if that needs no renewal. Throws as `token`.
    func readyToken(of session: SignIn, for aim: TokenAim, lasting seconds: Int64?) throws -> AccessToken? {
        try session.demand(aim)
        try demandTime(of: session)
        let found = try read(session)
        return found.awaitsAnswer(at: Moment(clock)) ? nil : try ready(found, session, aim, seconds)
    }

    /// The token for this aim, if that is the rejected one.
    private func index(of rejected: RejectedToken?, in tokens: TokenSet, _ aim: TokenAim) -> Int? {
        guard let rejected, let index = tokens.access.firstIndex(where: { $0.aim == aim && !$0.isDoubtful }),
            rejected.applies(to: tokens.access[index], at: Moment(clock))
        else { return nil }
        return index
    }

    /// Marks the rejected token, so that it is handed out no more, and returns the tokens for the renewal. Throws `SessionError`
    /// `freshRejected` if a renewal would not help.
    private func rejecting(_ index: Int, _ tokens: TokenSet, _ session: SignIn) throws -> TokenSet {
        var tokens = tokens
        let now = Moment(clock)
        guard tokens.access[index].isBeyondRenewal(at: now) else {
            // A later renewal for something else may have ended it.
            if index > 0, tokens.endsEarlier == nil { tokens = tokens.knowing(endsEarlier: true) }
            tokens.rejectedAt = now
            tokens.access[index].isDoubtful = true
            // A renewal writes that together with its mark.
            if !tokens.isRefreshable { try write(tokens, of: session) }
            return tokens
        }
        if tokens.access[index].trial?.failedAt == nil {
            tokens.access[index].trial?.failedAt = now
            try write(tokens, of: session)
        }
        throw SessionError.freshRejected(session.name)
    }

    /// Throws `SessionError` `signedOut` if the session's time is over, even if it was not signed out yet.
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

    // MARK: Tokens in the row

    /// A token that can be handed out as it is. Nil if a renewal must be tried first; throws when that cannot help.
    private func ready(
        _ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim, _ seconds: Int64?
    ) throws -> AccessToken? {
        switch tokens.end {
        case .changed, .damaged, .signedOut, .timeOver, .left:
            throw SessionError.signedOut(session.name, tokens.end ?? .changed)
        case .rejected, .interrupted, nil: break
        }
        if tokens.unjudgedSince != nil { return nil }
        let found = tokens.token(for: aim)
        if let found, case .other(let type) = found.type {
            // The issuer may give another kind once this one ran out.
            guard !found.lasts(0, at: Moment(clock), isRefreshable: tokens.isRefreshable) else {
                throw SessionError.unknownType(session.name, type)
            }
        } else if let found, found.lasts(seconds, at: Moment(clock), isRefreshable: tokens.isRefreshable) {
            return found
        }
        if tokens.isRefreshable { return nil }
        if let old = try usable(tokens, session, aim) { return old }
        throw tokens.end.map { SessionError.signedOut(session.name, $0) } ?? .ranOut(session)
    }

    /// A token that is good for a while at least.
    func usable(_ tokens: TokenSet, _ session: SignIn, _ aim: TokenAim) throws -> AccessToken? {
        guard tokens.unjudgedSince == nil, let found = tokens.token(for: aim), found.type == .bearer else { return nil }
        return found.lasts(0, at: Moment(clock), isRefreshable: tokens.isRefreshable) ? found : nil
    }
}
