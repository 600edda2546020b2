import FoundationEssentials
import SCA
import Testing

@testable import Authenticator

/// From the card to the outcome: what is recorded, what is sent, how often.
struct DecidingTests {
    static let requester = Requester(pid: 1, uid: 0, commands: [])
    static let waiting = Deciding.Waiting(isOn: true, interval: 0.001, limit: 86_400)
    static let shortWaiting = Deciding.Waiting(isOn: true, interval: 0.001, limit: 0.1)

    struct OpenGate: PINGate {
        func status() throws -> PINStatus { throw Unprovided("status") }
        func set(_ pin: any Secret) throws -> any OpenVault { throw Unprovided("set") }
        func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault {
            guard (pin as? PlainSecret)?.text == "271828" else { throw PINError(.wrong) }
            return MemoryVault()
        }
        func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws { throw Unprovided("change") }
        func reset() throws { throw Unprovided("reset") }
    }

    func decide(
        _ verdict: Verdict, in world: World, shown: Authorization? = nil, waiting: Deciding.Waiting = Self.waiting
    ) async throws -> Decided {
        let deciding = Deciding(try world.session())
        let authorization = try shown ?? World.authorization()
        let shown = try deciding.show(authorization, of: world.connection) { authorization, _ in
            try World.card(authorization)
        }
        guard verdict == .approve else {
            return try await deciding.deny(shown, at: nil, by: Self.requester, waiting: waiting)
        }
        let proof = try deciding.prove(PlainSecret("271828"), from: .person, at: OpenGate(), for: shown)
        return try await deciding.approve(shown, proof: proof, at: nil, by: Self.requester, waiting: waiting)
    }

    @Test(arguments: [Verdict.approve, .deny])
    func recordsBeforeItSends(_ verdict: Verdict) async throws {
        let outcome: Outcome = verdict == .approve ? .confirmed : .denied
        let world = try World(
            .init(shown: [.success(try World.authorization())], answers: [.success(outcome)]))
        let decided = try await decide(verdict, in: world)
        #expect(decided.outcome == outcome)
        #expect(decided.basis == .answered)
        #expect(world.log.events == [.sending(verdict, try World.authorization().id), .answered(outcome)])
    }

    @Test func contentThatChangedIsNotDecided() async throws {
        let world = try World(.init(shown: [.success(try World.authorization(content: 2))]))
        await #expect(throws: DecisionError(.changed)) { try await decide(.approve, in: world) }
        #expect(world.log.events.isEmpty)
    }

    @Test func whatHasExpiredIsNotApproved() async throws {
        let expired = try World.authorization(expiresIn: 0)
        let world = try World(.init(shown: [.success(expired)]))
        await #expect(throws: DecisionError(.expired)) { try await decide(.approve, in: world, shown: expired) }
        #expect(world.log.events.isEmpty)
    }

    @Test func whatTheBankNoLongerListsIsGone() async throws {
        let world = try World(.init(shown: [.failure(BankError(.authorizationGone, "gone"))]))
        await #expect(throws: DecisionError(.gone)) { try await decide(.deny, in: world) }
        #expect(world.log.events.isEmpty)
    }

    @Test func aDecisionThatMayCountIsNotMadeTwice() async throws {
        let world = try World(.init(shown: [.success(try World.authorization())]))
        world.log.contents.withLock { $0.isDecided = true }
        await #expect(throws: DecisionError(.alreadyDecided)) { try await decide(.approve, in: world) }
        #expect(world.bank.script.withLock { $0.sent.isEmpty })
    }

    @Test func aWrongPINProvesNothing() async throws {
        let world = try World()
        let deciding = Deciding(try world.session())
        let shown = try deciding.show(World.authorization(), of: world.connection) { authorization, _ in
            try World.card(authorization)
        }
        #expect(throws: PINError(.wrong)) {
            try deciding.prove(PlainSecret("000000"), from: .person, at: OpenGate(), for: shown)
        }
    }

    @Test func aProofIsForTheContentThatWasShown() async throws {
        let world = try World()
        let deciding = Deciding(try world.session())
        let one = try deciding.show(World.authorization(), of: world.connection) { item, _ in try World.card(item) }
        let two = try deciding.show(World.authorization(content: 2), of: world.connection) { item, _ in
            try World.card(item)
        }
        let proof = try deciding.prove(PlainSecret("271828"), from: .person, at: OpenGate(), for: one)
        await #expect(throws: DecisionError(.notProved)) {
            try await deciding.approve(two, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
    }

    @Test func aCardOfOtherContentCannotStandForThisOne() throws {
        let world = try World()
        #expect(throws: DecisionError(.changed)) {
            try Deciding(world.session()).show(World.authorization(), of: world.connection) { _, _ in
                try World.card(World.authorization(content: 2))
            }
        }
    }

    /// What each error of the bank says about a decision that was sent.
    @Test(arguments: [
        (BankError(.noAnswer, ""), Outcome.unknown), (BankError(.malformedAnswer, "", status: 200), .unknown),
        (BankError(.tooLarge, ""), .unknown), (BankError(.refused, "", status: 500), .unknown),
        (BankError(.refused, "", errorClass: BankText("InvalidSignature"), status: 500), .refused),
        (BankError(.refused, "", status: 400), .refused), (BankError(.authorizationGone, ""), .refused),
        (BankError(.unreachable, ""), .refused),
        (BankError(.actionRefused, "", errorClass: BankText("ActionClosed"), status: 422), .expired),
        (BankError(.actionRefused, "", errorClass: BankText("ActionExpired"), status: 422), .expired),
    ])
    func errorsAfterSending(_ error: BankError, _ expected: Outcome) async throws {
        let world = try World(.init(shown: [.success(try World.authorization())], answers: [.failure(error)]))
        let decided = try await decide(.approve, in: world)
        #expect(decided.outcome == expected)
        #expect(decided.error == error)
        let id = try World.authorization().id
        let sending = MemoryLog.Event.sending(.approve, id)
        #expect(world.log.events == (expected == .unknown ? [sending] : [sending, .answered(expected)]))
        #expect(world.bank.script.withLock { $0.sent.count } == 1, "never sent twice")
    }

    @Test func clocksThatDifferAreCorrectedOnce() async throws {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(900))
        let world = try World(
            .init(
                shown: [.success(try World.authorization())],
                answers: [.failure(late), .success(.confirmed)]))
        #expect(try await decide(.approve, in: world).outcome == .confirmed)
        #expect(world.bank.script.withLock { $0.corrections } == [0, 900])
        let id = try World.authorization().id
        #expect(
            world.log.events == [
                .sending(.approve, id), .answered(.refused), .sending(.approve, id), .answered(.confirmed),
            ])
    }

    @Test func clocksThatStayWrongAreNotTriedForEver() async throws {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(900))
        let world = try World(
            .init(shown: [.success(try World.authorization())], answers: [.failure(late), .failure(late)]))
        await #expect(throws: late) { try await decide(.approve, in: world) }
        #expect(world.bank.script.withLock { $0.sent.count } == 2)
    }

    @Test func anOutcomeIsToldEvenIfTheLogCannotTakeIt() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.confirmed)]))
        world.log.contents.withLock { $0.failsToRecordAnswers = true }
        let decided = try await decide(.approve, in: world)
        #expect(decided.outcome == .confirmed)
        #expect(decided.unrecorded is SecretServiceError)
    }

    /// v2: HTTP success is not confirmation; only the wanted final word is.
    @Test(arguments: [
        (AuthorizationStatus.confirmed, Outcome.confirmed), (.denied, .refused), (.error, .refused),
        (.closed, .expired),
        (.timeOut, .expired), (.unavailable, .expired),
    ])
    func followsToTheFinalWord(_ word: AuthorizationStatus, _ expected: Outcome) async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: [
                    .success(.confirmProcessing), .failure(BankError(.authorizationGone, "")),
                    .failure(BankError(.unreachable, "")), .success(.pending), .success(word),
                ]))
        #expect(try await decide(.approve, in: world).outcome == expected)
    }

    @Test func anUnknownWordIsNoAnswer() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: [.success(.unknown(BankText("success")))]))
        #expect(try await decide(.approve, in: world, waiting: Self.shortWaiting).outcome == .processing)
    }

    /// A bank that takes its time for each answer does not make the wait longer.
    @Test func theWaitForASlowBankIsLimited() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: Array(repeating: .success(.confirmProcessing), count: 1000), secondsToAStatus: 0.05))
        #expect(try await decide(.approve, in: world, waiting: Self.shortWaiting).outcome == .processing)
        #expect(world.bank.script.withLock { $0.statuses.count } > 990)
    }

    @Test func aBankThatWantsAPositionGetsOneForApprovals() async throws {
        let world = try World()
        let connection = try world.connections.update(world.connection.guid) { $0.geolocationRequired = true }
        let deciding = Deciding(try world.session())
        let shown = try deciding.show(World.authorization(), of: connection) { item, _ in try World.card(item) }
        let proof = try deciding.prove(PlainSecret("271828"), from: .person, at: OpenGate(), for: shown)
        await #expect(throws: DecisionError(.geolocationRequired)) {
            try await deciding.approve(shown, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
    }
}
