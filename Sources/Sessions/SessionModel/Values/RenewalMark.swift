/// Written before a refresh token is sent, and removed with the answer: a mark that is found later means that the token of this
/// generation may be spent.
package struct RenewalMark: Sendable, Equatable, Codable {
    /// The generation whose refresh token is being sent.
    package var generation: Int64
    /// The aim of the renewal: a later attempt must ask for the same, since it may get the first one's answer.
    package var aim: TokenAim
    /// When the first attempt was about to leave.
    package var since: Moment
    /// When the last attempt was about to leave.
    package var last: Moment
    /// The number of the last attempt, from 1.
    package var attempt: Int
    /// Set once the issuer gave an attempt a definite answer that left the fate of the token open.
    package var isAnswered: Bool?

    /// How many times a token is resent automatically.
    static let resends = 3
    /// How many seconds a mark is young: so long the issuer may give the lost answer once more.
    private static let young: Int64 = 300

    package init(generation: Int64, for aim: TokenAim, at moment: Moment) {
        self.generation = generation
        self.aim = aim
        since = moment
        last = moment
        attempt = 1
    }

    /// False after a reboot: how much time passed is not known then.
    package func isYoung(at now: Moment) -> Bool { now.secondsInBoot(since: since).map { $0 < Self.young } ?? false }

    package var isUsedUp: Bool { attempt > Self.resends }

    /// Whether to resend the token even if nobody needs a new one now: later it may be too late.
    func isToBeResent(at now: Moment) -> Bool { isYoung(at: now) && !isUsedUp && isAnswered != true }

    /// The mark of the next attempt with the same token.
    package func next(at moment: Moment) -> RenewalMark {
        var mark = self
        mark.attempt += 1
        mark.last = moment
        return mark
    }
}
