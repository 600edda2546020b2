import Basics
import FoundationEssentials
package import Keys
package import SessionModel

extension TokenKeeper {
    /// An ID token that may be handed out.
    package struct IDToken: Sendable {
        package var token: SecretSlot
        /// How long it can be used.
        package var secondsLeft: Int64
    }

    /// The session's ID token, renewed if it does not last for `seconds` more, or nil for as long as usual. `rejected`:
    /// the token that a service rejected, which is renewed once. Throws `SessionError`, and the store's errors.
    ///
    /// Many issuers give no ID token with a renewal. Then an expired one is not renewed: that would end access tokens for nothing.
    package func idToken(
        of session: SignIn, lasting seconds: Int64?, rejected: RejectedToken? = nil
    ) async throws -> IDToken {
        try demandTime(of: session)
        let found = try read(session)
        let good = try ready(found, session, seconds, rejected)
        var given = good
        if good == nil {
            given = try await renewed(session, seconds, rejected)
        } else if found.awaitsAnswer(at: Moment(clock)) {
            given = try await completed(session, seconds, rejected) ?? good
        }
        guard let given else {
            let row = try read(session)
            if row.unjudgedSince != nil { _ = try await judged(row, of: session, needsIDToken: true) }
            let fault = row.idState?.fault
            throw fault.map { SessionError.faulty(session.name, reason: $0) } ?? .idTokenRanOut(session.name)
        }
        return given
    }

    /// The present ID token, if it can be handed out as it is. Nil if a renewal must be tried first; throws if a renewal cannot
    /// help.
    private func ready(
        _ tokens: TokenSet, _ session: SignIn, _ seconds: Int64?, _ rejected: RejectedToken?
    ) throws -> IDToken? {
        switch tokens.end {
        case .changed, .damaged, .signedOut, .timeOver, .left:
            throw SessionError.signedOut(session.name, tokens.end ?? .changed)
        case .rejected, .interrupted, nil: break
        }
        if tokens.unjudgedSince != nil { return nil }
        guard let token = tokens.idToken else {
            // A renewal brings none where the login brought none.
            if tokens.idState == nil { throw SessionError.noIDToken(session) }
            return nil
        }
        guard let times = IDTokenTimes(token) else { throw SessionError.noIDToken(session) }
        if tokens.idState?.isDropped == true { return nil }
        if let rejected, rejected.applies(to: token, since: tokens.idState?.receivedAt, at: Moment(clock)) {
            return nil
        }
        let left = times.secondsLeft(at: Moment(clock), receivedAt: tokens.idState?.receivedAt)
        let demanded = times.lifetime.map { AccessToken.leastLife(seconds, ofNew: Moment.usable(of: $0)) }
        return left > 0 && left >= demanded ?? seconds ?? AccessToken.usualLeastLife
            ? IDToken(token: token, secondsLeft: left) : nil
    }

    private func renewed(
        _ session: SignIn, _ seconds: Int64?, _ rejected: RejectedToken?
    ) async throws -> IDToken? {
        let turn: any HeldTurn
        do { turn = try await store.turn(of: session, clock: clock) } catch {
            // A token that is still good will do while another process renews.
            guard let old = try ready(try read(session), session, 0, rejected) else { throw error }
            return old
        }
        defer { turn.end() }
        guard let session = try store.sessions().first(where: { $0.id == session.id }) else { throw gone(session) }
        try demandTime(of: session)
        let row = try read(session)
        let newest: TokenSet
        do { newest = try recovered(row, of: session) } catch  where !(error is SessionError) {
            guard let old = try ready(row, session, 0, rejected) else { throw error }
            return old
        }
        var tokens = try await judged(newest, of: session, needsIDToken: true)
        // Another process may have renewed it while this one waited.
        if let given = try ready(tokens, session, seconds, rejected) { return given }
        let now = Moment(clock)
        // A token that is good for a while will do if no new one comes, unless it was rejected.
        var old: IDToken?
        if let token = tokens.idToken, rejected?.applies(to: token, since: tokens.idState?.receivedAt, at: now) == true
        {
            if let last = tokens.idState?.rejectedAt, now.secondsInBoot(since: last).map({ $0 < 300 }) ?? false {
                throw SessionError.freshRejected(session.name)
            }
            tokens.idState = tokens.idState ?? IDTokenState(at: now)
            tokens.idState?.rejectedAt = now
            // Dropped only until a renewal was made: if the issuer renews no ID tokens, the old one stays for programs that can use
            // it.
            tokens.idState?.isDropped = true
        } else {
            old = try ready(tokens, session, 0, nil)
        }
        guard tokens.isRefreshable, tokens.idState?.isRenewed != false else {
            if let reason = tokens.end, old == nil { throw SessionError.signedOut(session.name, reason) }
            return old
        }
        do {
            _ = try await renew(tokens, session, .whole, old: nil)
        } catch {
            guard let old else { throw error }
            // The person may have signed out meanwhile.
            _ = try ready(try read(session), session, 0, nil)
            return old
        }
        return try ready(try read(session), session, 0, rejected)
    }

    /// Completes the renewal whose answer was lost, unless another process does. Nil if that brings no ID token that can be handed
    /// out.
    private func completed(
        _ session: SignIn, _ seconds: Int64?, _ rejected: RejectedToken?
    ) async throws -> IDToken? {
        guard case .taken(let turn)? = try? store.takeTurn(of: session.id) else { return nil }
        defer { turn.end() }
        guard let session = try store.sessions().first(where: { $0.id == session.id }) else { throw gone(session) }
        try demandTime(of: session)
        let row = try read(session)
        let newest: TokenSet
        do { newest = try recovered(row, of: session) } catch  where !(error is SessionError) { return nil }
        let tokens = try await judged(newest, of: session, needsIDToken: true)
        if tokens.awaitsAnswer(at: Moment(clock)) {
            do { _ = try await renew(tokens, session, tokens.mark?.aim ?? .whole, old: nil) } catch is SessionError {}
        }
        return try ready(try read(session), session, seconds, rejected)
    }
}
