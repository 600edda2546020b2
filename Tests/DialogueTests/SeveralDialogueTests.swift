import Approvals
import Basics
import Dialogue
import FoundationEssentials
import ApprovalModel
import Testing

private let onTerminal = Audience.person(typesWords: true)

private func card(_ id: Int, denialNeedsPIN: Bool = false, expiresAt: Date? = nil) throws -> Card {
    var card = Card(
        Authorization(
            connection: ConnectionGUID("c-1"), id: try #require(BankID("\(id)")), status: .pending,
            title: BankText("Login \(id)"), content: AuthorizationContent(parts: [.text(BankText("x"))]),
            source: BankText("{}"), code: nil, createdAt: nil, expiresAt: expiresAt,
            fingerprint: try #require(Fingerprint(bytes: Array(repeating: UInt8(id), count: 32))),
            denialPassesAsApproval: denialNeedsPIN),
        bank: BankText("Fern Bank"), host: "fern.example", connection: try #require(ConnectionName("fern")))
    card.waitingAtOnce = 1
    return card
}

@Suite struct DecisionSerieses {
    private func name(_ next: DecisionSeries.Next) -> String {
        switch next {
        case .ask(.denyAll(let crowd)): "all \(crowd.cards.count)?"
        case .ask(.yesNo): "disconnect?"
        case .ask: "?"
        case .decide(let decision):
            (decision.verdict == .approve ? "approve " : "") + decision.card.reference
                + (decision.isAgreed ? " agreed" : "") + (decision.isShown ? " seen" : "")
                + (decision.reason.map { " \($0)" } ?? "")
        case .revoke(let name): "revoke \(name.text)"
        case .end(.done(let failure)): "done" + (failure.map { " \($0.kind)" } ?? "")
        case .end(.stopped(let failure)): "stopped \(failure.kind)"
        case .end(.lock(let failure)): "lock" + (failure.map { " \($0.kind)" } ?? "")
        }
    }

    private func walk(_ series: DecisionSeries, _ events: DecisionSeries.Event...) -> [String] {
        var series = series
        return [name(series.next())] + events.map { name(series.next($0)) }
    }

    @Test func oneIsDecidedWithoutAnotherQuestion() throws {
        for (isShown, step) in [(true, "fern:1 seen"), (false, "fern:1")] {
            let denial = DecisionSeries(.deny, on: try card(1), isShown: isShown)
            #expect(walk(denial, .decided(nil), .decided(.gone)) == [step, "done", "done"])
            let approval = DecisionSeries(.approve, on: try card(1), isShown: isShown)
            #expect(walk(approval, .decided(.cancelled)) == ["approve \(step)", "done cancelled"])
        }
    }

    @Test func allAreDeniedAfterOneQuestion() throws {
        let cards = [try card(1), try card(2, denialNeedsPIN: true)]
        let all = DecisionSeries(denyingAll: cards, before: onTerminal)
        // Where denying takes the PIN, the card is shown before.
        #expect(
            walk(all, .answer(.yes), .decided(nil), .decided(.gone)) == [
                "all 2?", "fern:1 agreed seen", "fern:2 agreed", "done notFound",
            ])
        #expect(
            walk(all, .answer(.yes), .decided(.cancelled), .decided(.gone)) == [
                "all 2?", "fern:1 agreed seen", "fern:2 agreed", "done cancelled",
            ])
        #expect(walk(all, .answer(.no), .answer(.yes)) == ["all 2?", "stopped cancelled", "stopped cancelled"])
        #expect(walk(all, .unasked(Failure(.locked, "no window"))) == ["all 2?", "stopped locked"])
        #expect(
            walk(DecisionSeries(denyingAll: cards, before: .nobody), .decided(nil), .decided(nil)) == [
                "fern:1 agreed seen", "fern:2 agreed", "done",
            ])
        #expect(walk(DecisionSeries(denyingAll: [], before: onTerminal)) == ["done"])
    }

    @Test func aSignalEndsItBeforeTheNext() throws {
        var all = DecisionSeries(denyingAll: [try card(1), try card(2)], before: onTerminal)
        var steps = [name(all.next()), name(all.next(.answer(.yes)))]
        steps.append(name(all.next(.decided(nil), isInterrupted: true)))
        #expect(steps == ["all 2?", "fern:1 agreed seen", "done cancelled"])
        // A result that is known already counts, and so do all the requests of somebody else.
        var one = DecisionSeries(.approve, on: try card(1), isShown: false)
        steps = [name(one.next()), name(one.next(.decided(nil), isInterrupted: true))]
        #expect(steps == ["approve fern:1", "done"])
        let cards = try (1...3).map { try card($0) }
        var many = DecisionSeries(notMine: cards[0], among: cards, isShown: true)
        _ = (many.next(), many.next(.answer(.yes)))
        #expect(name(many.next(.decided(nil), isInterrupted: true)) == "fern:2 agreed seen notMe")
    }

    @Test func aLockIsTheEndOfAll() {
        let locked = Failure(.locked, "locked")
        for (end, isLast) in [
            (DecisionSeries.End.done(nil), false), (.done(.gone), false), (.done(locked), true), (.lock(nil), true),
            (.lock(.gone), true), (.stopped(.cancelled), false), (.stopped(locked), true),
        ] {
            #expect(end.isLast == isLast)
        }
    }

    @Test func whatSomebodyElseBeganIsDeniedThenTheBankDisconnected() throws {
        let one = DecisionSeries(notMine: try card(1), among: [try card(1), try card(2)], isShown: true)
        #expect(
            walk(one, .decided(nil), .answer(.yes), .revoked) == [
                "fern:1 seen notMe", "disconnect?", "revoke fern", "lock",
            ])
        #expect(
            walk(one, .decided(.gone), .answer(.no)) == ["fern:1 seen notMe", "disconnect?", "lock notFound"])
        #expect(walk(one, .decided(nil), .unasked(.cancelled)).last == "lock")
        // Whoever cancels has decided nothing, and nothing follows.
        #expect(
            walk(one, .decided(.cancelled), .answer(.yes)) == [
                "fern:1 seen notMe", "stopped cancelled", "stopped cancelled",
            ])
    }

    @Test func tooManyAtOnceAreOfferedTogether() throws {
        let cards = try (1...3).map { try card($0, denialNeedsPIN: $0 == 2) }
        let many = DecisionSeries(notMine: cards[1], among: cards, isShown: false)
        #expect(
            walk(many, .answer(.yes), .decided(nil), .decided(.cancelled), .decided(nil), .answer(.no)) == [
                "all 3?", "fern:2 agreed notMe", "fern:1 agreed seen notMe", "fern:3 agreed seen notMe", "disconnect?",
                "lock",
            ])
        for no in [DecisionSeries.Event.answer(.no), .unasked(.cancelled)] {
            #expect(
                walk(many, no, .decided(nil), .answer(.no)) == ["all 3?", "fern:2 notMe", "disconnect?", "lock"])
        }
        let seen = DecisionSeries(notMine: cards[1], among: cards, isShown: true)
        #expect(walk(seen, .answer(.yes)) == ["all 3?", "fern:2 agreed seen notMe"])
    }
}

@Suite struct DecisionRounds {
    private func walk(_ round: DecisionRound, _ failures: Failure?...) -> [DecisionRound.Next] {
        var round = round
        return [round.next()] + failures.map { round.next(after: $0) }
    }

    @Test func eachIsDecidedAndTheFirstFailureCounts() {
        let round = DecisionRound(of: 3, hasPIN: false, before: onTerminal)
        #expect(walk(round, nil, nil, nil) == [.decide(0), .decide(1), .decide(2), .end(nil)])
        #expect(walk(round, .gone, nil, .expired) == [.decide(0), .decide(1), .decide(2), .end(.gone)])
    }

    @Test func aPersonWhoCancelsEndsIt() {
        #expect(
            walk(DecisionRound(of: 2, hasPIN: false, before: onTerminal), .cancelled) == [.decide(0), .end(.cancelled)])
        #expect(walk(DecisionRound(of: 2, hasPIN: true, before: .nobody), .cancelled) == [.decide(0), .decide(1)])
    }

    /// The next one would cost another try.
    @Test func theFirstThatFailsForWantOfThePINFailsAll() {
        let locked = Failure(.locked, "wrong PIN")
        for (round, next) in [
            (DecisionRound(of: 2, hasPIN: true, before: .nobody), DecisionRound.Next.fail(locked)),
            (DecisionRound(of: 2, hasPIN: true, before: onTerminal), .fail(locked)),
            (DecisionRound(of: 2, hasPIN: false, before: .nobody), .fail(locked)),
            (DecisionRound(of: 2, hasPIN: false, before: onTerminal), .decide(1)),
        ] {
            #expect(walk(round, locked)[1] == next)
        }
        #expect(
            walk(DecisionRound(of: 2, hasPIN: true, before: .nobody), nil, locked) == [
                .decide(0), .decide(1), .end(locked),
            ])
    }

    @Test func aSignalEndsItBeforeTheNext() {
        for (count, end) in [(2, DecisionRound.Next.end(.cancelled)), (1, .end(nil))] {
            var round = DecisionRound(of: count, hasPIN: false, before: onTerminal)
            let first = round.next()
            let next = round.next(isInterrupted: true)
            #expect(first == .decide(0) && next == end)
        }
    }
}

@Suite struct ReviewDialogues {
    private let now = Date(timeIntervalSince1970: 1_900_000_000)

    /// Of three requests, the second one expires first. The words name each step, and the request that it is about.
    private func walk(
        _ events: ReviewDialogue<Int>.Event..., meanwhile change: (inout [Int: Card]) -> Void = { _ in }
    ) throws -> [String] {
        var waiting: [Int: Card] = [:]
        for (key, seconds) in [(1, 200.0), (2, 100), (3, 300)] {
            waiting[key] = try card(key, expiresAt: now + seconds)
        }
        var dialogue = ReviewDialogue<Int>()
        var steps = [name(dialogue.next(among: waiting, at: now))]
        change(&waiting)
        for event in events { steps.append(name(dialogue.next(event, among: waiting, at: now))) }
        return steps
    }

    private func name(_ next: ReviewDialogue<Int>.Next) -> String {
        switch next {
        case .ask(.review(let place), let card): "\(card.reference), \(place.number) of \(place.count)"
        case .ask(_, let card): "verdict on \(card.reference)"
        case .decide(let verdict, _, let key): "\(verdict) \(key)"
        case .end(let failure): "end" + (failure.map { " \($0.kind)" } ?? "")
        }
    }

    @Test func eachIsReadBeforeItsVerdict() throws {
        #expect(
            try walk(
                .answer(.yes), .answer(.yes), .decided, .answer(.yes), .answer(.other), .decided, .answer(.other),
                .answer(.yes)) == [
                    "fern:2, 1 of 3", "verdict on fern:2", "approve 2", "fern:1, 2 of 3", "verdict on fern:1", "deny 1",
                    "fern:3, 3 of 3", "end", "end",
                ])
    }

    @Test func aNoEndsIt() throws {
        for no in [Answer.no, .typed("approve")] {
            #expect(try walk(.answer(no), .answer(.yes)) == ["fern:2, 1 of 3", "end cancelled", "end cancelled"])
            #expect(try walk(.answer(.yes), .answer(no)).last == "end cancelled")
        }
    }

    @Test func aFailureLeadsToTheNextUnlessNothingCanBeDecidedAnyMore() throws {
        for (failure, last) in [
            (Failure.gone, "fern:1, 2 of 3"), (.cancelled, "end cancelled"), (Failure(.locked, "locked"), "end locked"),
        ] {
            #expect(try walk(.failed(failure)).last == last)
            #expect(try walk(.answer(.yes), .failed(failure)).last == last)
            #expect(try walk(.answer(.yes), .answer(.yes), .failed(failure)).last == last)
        }
    }

    /// Its window was closed, which nobody did.
    @Test func aRequestThatIsOverLeadsToTheNext() throws {
        #expect(try walk(.failed(.cancelled)) { $0[2] = nil } == ["fern:2, 1 of 3", "fern:1, 2 of 3"])
        let expired = try card(2, expiresAt: now)
        #expect(try walk(.failed(.cancelled)) { $0[2] = expired } == ["fern:2, 1 of 3", "fern:1, 2 of 3"])
    }

    @Test func whatComesMeanwhileTakesItsPlaceAndEachIsShownOnce() throws {
        let (early, late) = (try card(4, expiresAt: now + 50), try card(5, expiresAt: now))
        #expect(
            try walk(.answer(.other)) { waiting in
                waiting[4] = early
                waiting[5] = late
                waiting[2] = early
            } == ["fern:2, 1 of 3", "fern:4, 2 of 4"])
    }
}
