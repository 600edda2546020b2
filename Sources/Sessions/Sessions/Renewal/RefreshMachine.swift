package import Basics
package import SessionModel

/// One renewal, step by step: the mark to write, the times to send, and the consequence of each answer for the session
/// (oauth sections 7.2 to 7.5). A value without I/O. Its driver holds the session's renewal lock and has read the token
/// row under it.
///
/// The order is its reason to be: a mark is on disk before a token leaves, the new tokens are on disk before anybody judges or gets
/// them, and an answer that was definite is never followed by another send.
package struct RefreshMachine: Sendable {
    /// The next step. After each effect, call the function that its comment names.
    package enum Effect: Sendable {
        /// Write this mark into the row, on disk; then `marked`. Where it cannot be written, nothing was sent: give up.
        case write(RenewalMark)
        /// Send the refresh token of the row, on a new connection; then `answered`.
        case send
        /// Wait this long; then `waited`.
        case wait(seconds: Int64)
        /// Write the next generation without a mark. Then judge its ID token, then hand out. The end. `afterInterruption`: an earlier
        /// attempt had been cut short.
        case store(TokenGrant, afterInterruption: Bool)
        /// Write the next generation with this refresh token and the access tokens of before: the answer brought nothing else. Then
        /// hand out the token that is still good. The end.
        case keep(any Secret, reason: String)
        /// Leave the row as it is, and hand out the token that is still good. The end.
        case useOld
        /// Write the session as ended, without its refresh token. The end.
        case end(EndReason)
        /// Nothing became of it. The end. Where `clearsMark`, the token is known to be unspent and the row loses its mark.
        case fail(RenewalFailure, clearsMark: Bool)
    }

    private enum State: Sendable {
        case fresh
        case marking(RenewalMark)
        case sent(RenewalMark)
        case waiting(RenewalMark)
        case over
    }

    private var state = State.fresh
    private let generation: Int64
    private let aim: TokenAim
    private let found: RenewalMark?

    /// A token that may have reached the issuer is sent again after 0, 5 and 12 seconds: within 30 s of the first send, as the
    /// shortest grace windows last 30 s.
    private static let pauses: [Int64] = [0, 5, 12]
    /// Nothing is sent again later than this many seconds after the first attempt.
    private static let series: Int64 = 30
    /// Seconds between attempts once the resends are used up.
    private static let restAfterResends: Int64 = 60

    /// `aim`: the scopes to ask for; the aim of a mark that is found goes first. `mark`: the renewal mark in the row;
    /// one of another generation is a remnant and is ignored.
    package init(generation: Int64, aim: TokenAim, mark: RenewalMark?) {
        self.generation = generation
        self.aim = aim
        found = mark.flatMap { $0.generation == generation ? $0 : nil }
    }

    /// Begins. `hasGoodToken`: whether the row has an access token that would do.
    package mutating func start(at now: Moment, hasGoodToken: Bool) -> Effect {
        guard case .fresh = state else { return misused() }
        guard let found else { return mark(RenewalMark(generation: generation, for: aim, at: now)) }
        if !found.isYoung(at: now) || found.isUsedUp {
            if hasGoodToken { return finish(.useOld) }
            if found.isUsedUp, let rest = now.secondsInBoot(since: found.last), rest < Self.restAfterResends {
                return finish(.fail(.noAnswer(reason: "the last renewal was not answered"), clearsMark: false))
            }
        }
        return mark(found.next(at: now))
    }

    /// The mark is on disk.
    package mutating func marked() -> Effect {
        guard case .marking(let mark) = state else { return misused() }
        state = .sent(mark)
        return .send
    }

    /// The pause is over.
    package mutating func waited(until now: Moment) -> Effect {
        guard case .waiting(let mark) = state else { return misused() }
        return self.mark(mark.next(at: now))
    }

    /// The issuer answered, or did not. `hasGoodToken` as in `start`.
    package mutating func answered(_ answer: TokenAnswer, at now: Moment, hasGoodToken: Bool) -> Effect {
        guard case .sent(let mark) = state else { return misused() }
        let isFirst = mark.attempt == 1
        switch answer {
        case .granted(let grant): return finish(.store(grant, afterInterruption: !isFirst))
        case .rejected(let rejection):
            if rejection.saysTokenIsDead(for: mark.aim) { return finish(.end(isFirst ? .rejected : .interrupted)) }
            return finish(.fail(.refused(rejection), clearsMark: isFirst))
        case .later(let reason, let retryAfter):
            return finish(.fail(.later(reason: reason, retryAfter: retryAfter), clearsMark: isFirst))
        case .notSent(let reason, let obstacle):
            // If a resend was not sent, that says nothing about the token: an earlier attempt may have spent it.
            if isFirst { return finish(.fail(.unreachable(reason: reason, obstacle: obstacle), clearsMark: true)) }
            return resend(after: mark, .noAnswer(reason: reason), at: now, hasGoodToken: hasGoodToken)
        case .unusable(let answer):
            if let next = answer.refreshToken { return finish(.keep(next, reason: answer.reason)) }
            if answer.isOfIssuer { return finish(.fail(.unusable(reason: answer.reason), clearsMark: isFirst)) }
            return resend(after: mark, .unusable(reason: answer.reason), at: now, hasGoodToken: hasGoodToken)
        case .noAnswer(let reason):
            return resend(after: mark, .noAnswer(reason: reason), at: now, hasGoodToken: hasGoodToken)
        }
    }

    /// `failure`: why the renewal fails if it cannot be sent again.
    private mutating func resend(
        after mark: RenewalMark, _ failure: RenewalFailure, at now: Moment, hasGoodToken: Bool
    ) -> Effect {
        guard mark.attempt <= Self.pauses.count, let passed = now.secondsInBoot(since: mark.since),
            passed + Self.pauses[mark.attempt - 1] < Self.series
        else { return finish(hasGoodToken ? .useOld : .fail(failure, clearsMark: false)) }
        let pause = Self.pauses[mark.attempt - 1]
        if pause == 0 { return self.mark(mark.next(at: now)) }
        state = .waiting(mark)
        return .wait(seconds: pause)
    }

    private mutating func mark(_ mark: RenewalMark) -> Effect {
        state = .marking(mark)
        return .write(mark)
    }

    private mutating func finish(_ effect: Effect) -> Effect {
        state = .over
        return effect
    }

    /// Steps out of order are a mistake in this program; to send anything then could spend a token twice.
    private func misused() -> Effect {
        assertionFailure("a step of a renewal out of order")
        return .fail(.noAnswer(reason: "a step of a renewal came out of order"), clearsMark: false)
    }
}

extension Rejection {
    /// Whether it ends a session whose refresh token was sent for `aim`. An unexplained refusal may be about the aim,
    /// unless the aim is the login's own.
    fileprivate func saysTokenIsDead(for aim: TokenAim) -> Bool {
        kind == .grant || (kind == .unexplained && aim == .whole)
    }
}
