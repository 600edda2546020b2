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

@Suite struct DenialDialogues {
    private func name(_ next: DenialDialogue.Next) -> String {
        switch next {
        case .ask(.denyAll(let crowd)): "all \(crowd.cards.count)?"
        case .ask(.yesNo): "disconnect?"
        case .ask: "?"
        case .deny(let card, let isAgreed, let isShown):
            card.reference + (isAgreed ? " agreed" : "") + (isShown ? " seen" : "")
        case .revoke(let name): "revoke \(name.text)"
        case .end(.done(let failure)): "done" + (failure.map { " \($0.kind)" } ?? "")
        case .end(.cancelled): "cancelled"
        case .end(.lock(let failure)): "lock" + (failure.map { " \($0.kind)" } ?? "")
        }
    }

    private func walk(_ dialogue: DenialDialogue, _ events: DenialDialogue.Event...) -> [String] {
        var dialogue = dialogue
        return [name(dialogue.next())] + events.map { name(dialogue.next($0)) }
    }

    @Test func allAreDeniedAfterOneQuestion() throws {
        let cards = [try card(1), try card(2, denialNeedsPIN: true)]
        let all = DenialDialogue(all: cards, before: onTerminal)
        // Where denying takes the PIN, the card is shown before.
        #expect(
            walk(all, .answer(.yes), .denied(nil), .denied(.gone)) == [
                "all 2?", "fern:1 agreed seen", "fern:2 agreed", "done notFound",
            ])
        #expect(
            walk(all, .answer(.yes), .denied(.cancelled), .denied(.gone)) == [
                "all 2?", "fern:1 agreed seen", "fern:2 agreed", "done cancelled",
            ])
        #expect(walk(all, .answer(.no), .answer(.yes)) == ["all 2?", "cancelled", "cancelled"])
        #expect(
            walk(DenialDialogue(all: cards, before: .nobody), .denied(nil), .denied(nil)) == [
                "fern:1 agreed seen", "fern:2 agreed", "done",
            ])
        #expect(walk(DenialDialogue(all: [], before: onTerminal)) == ["done"])
    }

    @Test func whatSomebodyElseBeganIsDeniedThenTheBankDisconnected() throws {
        let one = DenialDialogue(notMine: try card(1), among: [try card(1), try card(2)], isShown: true)
        #expect(
            walk(one, .denied(nil), .answer(.yes), .revoked) == ["fern:1 seen", "disconnect?", "revoke fern", "lock"])
        #expect(walk(one, .denied(.gone), .answer(.no)) == ["fern:1 seen", "disconnect?", "lock notFound"])
        // Whoever cancels has decided nothing, and nothing follows.
        #expect(walk(one, .denied(.cancelled), .answer(.yes)) == ["fern:1 seen", "cancelled", "cancelled"])
    }

    @Test func tooManyAtOnceAreOfferedTogether() throws {
        let cards = try (1...3).map { try card($0, denialNeedsPIN: $0 == 2) }
        let many = DenialDialogue(notMine: cards[1], among: cards, isShown: false)
        #expect(
            walk(many, .answer(.yes), .denied(nil), .denied(.cancelled), .denied(nil), .answer(.no)) == [
                "all 3?", "fern:2 agreed", "fern:1 agreed seen", "fern:3 agreed seen", "disconnect?", "lock",
            ])
        #expect(walk(many, .answer(.no), .denied(nil), .answer(.no)) == ["all 3?", "fern:2", "disconnect?", "lock"])
        let seen = DenialDialogue(notMine: cards[1], among: cards, isShown: true)
        #expect(walk(seen, .answer(.yes)) == ["all 3?", "fern:2 agreed seen"])
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
