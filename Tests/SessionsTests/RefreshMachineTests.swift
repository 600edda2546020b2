import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

@testable import Sessions

/// The renewal's order of steps, its resends, and what a mark means that is found (oauth sections 7.2 to 7.5).
struct RefreshMachineTests {
    private static let word = MemorySecret("token")

    /// A moment of one boot; the wall clock stands still, so that nothing can lean on it.
    private func at(_ seconds: Int64, boot: String = "boot") -> Moment {
        Moment(wall: Date(timeIntervalSince1970: 1_000_000), boot: BootTime(bootID: boot, seconds: seconds))
    }

    private func mark(attempt: Int, since: Int64, last: Int64, generation: Int64 = 7) -> RenewalMark {
        var mark = RenewalMark(generation: generation, for: .whole, at: at(since))
        for _ in 1..<attempt { mark = mark.next(at: at(last)) }
        return mark
    }

    private let aim = TokenAim.whole
    private let granted = TokenAnswer.granted(TokenGrant(accessToken: word, type: .bearer))

    /// What a first attempt becomes, by its answer.
    private func first(_ answer: TokenAnswer, for aim: TokenAim = .whole, hasGoodToken: Bool = false) -> String {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: nil)
        #expect(told(machine.start(at: at(10), hasGoodToken: hasGoodToken)) == "mark 1")
        #expect(told(machine.marked()) == "send")
        return told(machine.answered(answer, at: at(11), hasGoodToken: hasGoodToken))
    }

    /// What the second attempt becomes, after a first one without answer.
    private func second(_ answer: TokenAnswer, hasGoodToken: Bool = false) -> String {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: nil)
        _ = machine.start(at: at(10), hasGoodToken: hasGoodToken)
        _ = machine.marked()
        let again = machine.answered(.noAnswer(reason: "cut"), at: at(11), hasGoodToken: hasGoodToken)
        #expect(told(again) == "mark 2")
        #expect(told(machine.marked()) == "send")
        return told(machine.answered(answer, at: at(12), hasGoodToken: hasGoodToken))
    }

    @Test func aMarkIsWrittenBeforeTheTokenLeaves() {
        #expect(first(granted) == "store")
        #expect(second(granted) == "store after an interruption")
    }

    @Test func aDefiniteAnswerIsNeverFollowedByAnotherSend() {
        #expect(first(.rejected(Rejection(.grant))) == "end rejected")
        #expect(first(.rejected(Rejection(.client))) == "refused, mark cleared")
        #expect(first(.rejected(Rejection(.scope))) == "refused, mark cleared")
        #expect(first(.rejected(Rejection(.needsPerson))) == "refused, mark cleared")
        #expect(first(.later(reason: "busy", retryAfter: 30)) == "later 30, mark cleared")
        #expect(first(.notSent(reason: "no route")) == "unreachable, mark cleared")
    }

    /// A no without a reason may be about the scopes, where others were named than at the login.
    @Test func aRefusalWithoutAReasonEndsOnlyWhatTheLoginGot() {
        #expect(first(.rejected(Rejection(.unexplained))) == "end rejected")
        #expect(
            first(.rejected(Rejection(.unexplained)), for: TokenAim(scopes: Scopes("mail"))) == "refused, mark cleared")
        #expect(first(.rejected(Rejection(.grant)), for: TokenAim(scopes: Scopes("mail"))) == "end rejected")
        #expect(first(.rejected(Rejection(.other))) == "refused, mark cleared")
        #expect(second(.rejected(Rejection(.unexplained))) == "end interrupted")
    }

    /// Answers that take fifteen seconds each: two attempts, and no third.
    @Test(arguments: [(14, 2), (15, 2), (30, 1), (60, 1), (0, 4)]) func nothingIsSentAgainAfter30Seconds(
        seconds: Int64, attempts: Int
    ) {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: nil)
        var (now, sent): (Int64, [Int64]) = (100, [])
        var effect = machine.start(at: at(now), hasGoodToken: false)
        loop: while sent.count < 40 {
            switch effect {
            case .write: effect = machine.marked()
            case .send:
                sent.append(now - 100)
                now += seconds
                effect = machine.answered(.noAnswer(reason: "cut"), at: at(now), hasGoodToken: false)
            case .wait(let seconds):
                now += seconds
                effect = machine.waited(until: at(now))
            default: break loop
            }
        }
        #expect(sent.count == attempts && sent.allSatisfy { $0 < 30 })
        #expect(told(effect) == "no answer, mark kept")
    }

    /// In another boot nobody knows when the first was sent.
    @Test func aResendInAnotherBootIsTheOnlyOne() {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: mark(attempt: 1, since: 100, last: 100))
        _ = machine.start(at: at(101, boot: "another"), hasGoodToken: false)
        _ = machine.marked()
        let effect = machine.answered(.noAnswer(reason: "cut"), at: at(101, boot: "another"), hasGoodToken: false)
        #expect(told(effect) == "no answer, mark kept")
    }

    /// It may get the answer of the first.
    @Test func aResendAsksForTheSameAsTheFirst() {
        let mail = TokenAim(scopes: Scopes("mail"))
        var machine = RefreshMachine(
            generation: 7, aim: .whole, mark: RenewalMark(generation: 7, for: mail, at: at(100)))
        guard case .write(let mark) = machine.start(at: at(101), hasGoodToken: false) else {
            Issue.record("no mark")
            return
        }
        #expect(mark.aim == mail && mark.attempt == 2)
    }

    /// After an attempt without answer the token may be spent: the mark stays whatever else is said, and a rejection is told as
    /// an interruption.
    @Test func anAnswerToAResendDoesNotHideThatTheFirstWasLost() {
        #expect(second(.rejected(Rejection(.grant))) == "end interrupted")
        #expect(second(.rejected(Rejection(.client))) == "refused, mark kept")
        #expect(second(.later(reason: "busy", retryAfter: nil)) == "later -, mark kept")
        #expect(second(.notSent(reason: "no route")) == "wait 5")
    }

    @Test(arguments: [true, false]) func itIsSentFourTimesWithin30Seconds(hasGoodToken: Bool) {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: nil)
        var (now, effects): (Int64, [String]) = (0, [])
        var effect = machine.start(at: at(now), hasGoodToken: hasGoodToken)
        loop: while effects.count < 40 {
            effects.append(told(effect))
            switch effect {
            case .write: effect = machine.marked()
            case .send: effect = machine.answered(.noAnswer(reason: "cut"), at: at(now), hasGoodToken: hasGoodToken)
            case .wait(let seconds):
                now += seconds
                effect = machine.waited(until: at(now))
            default: break loop
            }
        }
        #expect(
            effects == [
                "mark 1", "send", "mark 2", "send", "wait 5", "mark 3", "send", "wait 12", "mark 4", "send",
                hasGoodToken ? "use old" : "no answer, mark kept",
            ])
        #expect(now < 30)
    }

    @Test(
        arguments: [
            // A young mark of this boot: the same token, at once.
            (1, 100, 100, 101, "boot", false, "mark 2"), (2, 100, 100, 399, "boot", true, "mark 3"),
            // An old one, or of another boot: only when a token is needed.
            (1, 100, 100, 400, "boot", true, "use old"), (1, 100, 100, 400, "boot", false, "mark 2"),
            (1, 100, 100, 101, "another", true, "use old"), (1, 100, 100, 101, "another", false, "mark 2"),
            // Resends used up: a minute's rest between attempts.
            (4, 100, 120, 179, "boot", false, "no answer, mark kept"), (4, 100, 120, 180, "boot", false, "mark 5"),
            (4, 100, 120, 121, "boot", true, "use old"),
        ] as [(Int, Int64, Int64, Int64, String, Bool, String)])
    func aMarkThatIsFound(
        attempt: Int, since: Int64, last: Int64, now: Int64, boot: String, hasGoodToken: Bool, then: String
    ) {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: mark(attempt: attempt, since: since, last: last))
        #expect(told(machine.start(at: at(now, boot: boot), hasGoodToken: hasGoodToken)) == then)
    }

    @Test func anOldMarkIsWorthOneAttempt() {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: mark(attempt: 1, since: 100, last: 100))
        _ = machine.start(at: at(500), hasGoodToken: false)
        _ = machine.marked()
        let effect = machine.answered(.noAnswer(reason: "cut"), at: at(501), hasGoodToken: false)
        #expect(told(effect) == "no answer, mark kept")
    }

    @Test func aMarkOfAnotherGenerationCountsAsNone() {
        var machine = RefreshMachine(generation: 8, aim: aim, mark: mark(attempt: 3, since: 100, last: 100))
        #expect(told(machine.start(at: at(101), hasGoodToken: false)) == "mark 1")
    }

    /// An answer of the issuer's own is definite; one from elsewhere is asked for again.
    @Test(
        arguments: [
            (true, "r2", "keep r2: odd"), (true, nil, "odd, mark cleared"), (false, nil, "mark 2"),
        ] as [(Bool, String?, String)])
    func anAnswerThatCannotBeUsed(_ row: (isOfIssuer: Bool, refreshToken: String?, effect: String)) {
        var machine = RefreshMachine(generation: 7, aim: aim, mark: nil)
        _ = machine.start(at: at(10), hasGoodToken: false)
        _ = machine.marked()
        let answer = UnusableAnswer(
            reason: "odd", refreshToken: row.refreshToken.map { MemorySecret($0) }, isOfIssuer: row.isOfIssuer)
        #expect(told(machine.answered(.unusable(answer), at: at(11), hasGoodToken: false)) == row.effect)
    }

    private func told(_ effect: RefreshMachine.Effect) -> String {
        switch effect {
        case .write(let mark): return "mark \(mark.attempt)"
        case .send: return "send"
        case .wait(let seconds): return "wait \(seconds)"
        case .store(_, let afterInterruption): return afterInterruption ? "store after an interruption" : "store"
        case .keep(let token, let reason): return "keep \(text(token)): \(reason)"
        case .useOld: return "use old"
        case .end(let reason): return "end \(reason.rawValue)"
        case .fail(let failure, let clearsMark):
            let what =
                switch failure {
                case .refused: "refused"
                case .later(_, let seconds): "later \(seconds.map(String.init) ?? "-")"
                case .unreachable: "unreachable"
                case .unusable(let reason): reason
                case .noAnswer: "no answer"
                }
            return what + (clearsMark ? ", mark cleared" : ", mark kept")
        }
    }
}
