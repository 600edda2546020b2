@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Testing

/// From the card to the outcome: what is recorded, and what is sent how often.
struct DecidingTests {
    static let requester = Requester(pid: 1, uid: 0, commands: [])
    static let waiting = Deciding.Waiting(isOn: true, interval: 0.001, limit: 86_400)
    static let shortWaiting = Deciding.Waiting(isOn: true, interval: 0.001, limit: 0.1)

    struct OpenGate: PINGate {
        func status() throws -> PINStatus { throw Unprovided("status") }
        func set(_ pin: any Secret) throws -> any OpenVault { throw Unprovided("set") }
        func open(with pin: any Secret, from source: PINSource) throws -> any OpenVault {
            guard (pin as? PlainSecret)?.text == "271828" else { throw PINError.wrong(triesLeft: 8) }
            return MemoryVault()
        }
        func change(_ old: any Secret, to new: any Secret, from source: PINSource) throws { throw Unprovided("change") }
        func reset() throws { throw Unprovided("reset") }
    }

    static func shown(_ authorization: Authorization, of connection: Connection) throws -> ShownAuthorization {
        try ShownAuthorization(authorization, of: connection, named: authorization.fingerprint)
    }

    func decide(
        _ verdict: Verdict, in world: World, shown: Authorization? = nil, waiting: Deciding.Waiting = Self.waiting
    ) async throws -> Decided {
        let deciding = Deciding(try world.workspace(clock: world.bank.time.clock))
        let authorization = try shown ?? World.authorization()
        let shown = try Self.shown(authorization, of: world.connection)
        guard verdict == .approve else {
            return try await deciding.deny(shown, at: nil, by: Self.requester, waiting: waiting)
        }
        let proof = try OpenGate().prove(PlainSecret("271828"), from: .person, for: shown.authorization.fingerprint)
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

    /// An unlock for named content proves an approval of that content and of nothing else.
    @Test(arguments: [
        ("0101010101010101", true), (String(repeating: "01", count: 32), true), ("0101 0101 0101 0101", true),
        ("0101010101010102", false), (String(repeating: "01", count: 31) + "02", false), ("01010101", false),
        ("", false),
    ])
    func anUnlockProvesTheNamedContent(_ claim: String, _ isProof: Bool) async throws {
        let world = try World(.init(shown: [.success(try World.authorization())], answers: [.success(.confirmed)]))
        let deciding = Deciding(try world.workspace())
        let shown = try Self.shown(World.authorization(), of: world.connection)
        let proof = try OpenGate().open(with: PlainSecret("271828"), from: .file, approving: claim).proof
        #expect(proof.approves(shown.authorization.fingerprint) == isProof)
        guard isProof else {
            await #expect(throws: DecisionError.notProved) {
                try await deciding.approve(shown, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
            }
            return
        }
        let decided = try await deciding.approve(
            shown, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        #expect(decided.outcome == .confirmed)
    }

    /// If a signed denial could be used as an approval, denying takes the PIN for exactly this content, and an expired
    /// request cannot be denied.
    @Test func aDenialThatCouldApproveTakesThePIN() async throws {
        let item = try World.authorization(denialPassesAsApproval: true)
        let other = try World.authorization(content: 2, denialPassesAsApproval: true)
        let world = try World(.init(shown: [.success(item), .success(item)], answers: [.success(.denied)]))
        let deciding = Deciding(try world.workspace())
        func show(_ item: Authorization) throws -> ShownAuthorization {
            try Self.shown(item, of: world.connection)
        }
        func deny(_ proof: ProvedPIN?) async throws -> Decided {
            try await deciding.deny(
                try show(item), proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
        await #expect(throws: DecisionError.needsPIN) { try await deny(nil) }
        let foreign = try OpenGate().prove(
            PlainSecret("271828"), from: .person, for: show(other).authorization.fingerprint)
        await #expect(throws: DecisionError.notProved) { try await deny(foreign) }
        #expect(world.log.events.isEmpty && world.bank.script.withLock { $0.shown.count } == 2)
        let proof = try OpenGate().prove(
            PlainSecret("271828"), from: .person, for: show(item).authorization.fingerprint)
        #expect(try await deny(proof).outcome == .denied)

        let expired = try World.authorization(expiresIn: 0, denialPassesAsApproval: true)
        let late = try World(.init(shown: [.success(expired)]))
        let over = try Self.shown(expired, of: late.connection)
        let lateProof = try OpenGate().prove(PlainSecret("271828"), from: .person, for: over.authorization.fingerprint)
        await #expect(throws: DecisionError.expired) {
            try await Deciding(late.workspace()).deny(
                over, proof: lateProof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
    }

    /// The answer to a denial, or a later status, is confirmed.
    @Test(arguments: [true, false]) func aDenialThatReadsConfirmedIsAnAlarm(_ atOnce: Bool) async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())],
                answers: [atOnce ? .failure(.denialOverturned) : .success(.processing)],
                statuses: [.success(.denyProcessing), .success(.confirmed)]))
        let decided = try await decide(.deny, in: world)
        #expect(decided.outcome == .refused && decided.basis == .answered)
        #expect(decided.error?.kind == .denialOverturned)
        #expect(world.log.events.last == .resolved(1, .overturned))
    }

    @Test func contentThatChangedIsNotDecided() async throws {
        let world = try World(.init(shown: [.success(try World.authorization(content: 2))]))
        await #expect(throws: DecisionError.changed) { try await decide(.approve, in: world) }
        #expect(world.log.events.isEmpty)
    }

    @Test func anExpiredAuthorizationIsNotApproved() async throws {
        let expired = try World.authorization(expiresIn: 0)
        let world = try World(.init(shown: [.success(expired)]))
        await #expect(throws: DecisionError.expired) { try await decide(.approve, in: world, shown: expired) }
        #expect(world.log.events.isEmpty)
    }

    @Test func anAuthorizationThatIsNoLongerListedIsGone() async throws {
        let world = try World(.init(shown: [.failure(BankError(.authorizationGone, "gone"))]))
        await #expect(throws: DecisionError.gone) { try await decide(.deny, in: world) }
        #expect(world.log.events.isEmpty)
    }

    @Test func aDecisionThatMayCountIsNotMadeTwice() async throws {
        let world = try World(.init(shown: [.success(try World.authorization())]))
        world.log.contents.withLock { $0.isDecided = true }
        await #expect(throws: DecisionError.alreadyDecided(nil)) { try await decide(.approve, in: world) }
        #expect(world.bank.script.withLock { $0.sent.isEmpty })
    }

    @Test func aDecisionWhoseCallRunsIsUnderWay() async throws {
        let world = try World(.init(shown: [.success(try World.authorization())]))
        let earlier = try World.entry(.deny)
        world.log.contents.withLock {
            $0.isDecided = true
            $0.waiting = [earlier]
            $0.underWay = [earlier.sequence]
        }
        await #expect(throws: DecisionError.underWay) { try await decide(.approve, in: world) }
        #expect(world.bank.script.withLock { $0.sent.isEmpty })
    }

    /// The process may live on for long, so the decision must not stay marked as under way.
    @Test(arguments: [BankError.Kind.noAnswer, .malformedAnswer, .unreachable(), .signatureExpired])
    func aCallEndsWithOrWithoutAnAnswer(_ code: BankError.Kind) async throws {
        let world = try World(
            .init(shown: [.success(try World.authorization())], answers: [.failure(BankError(code, ""))]))
        _ = try? await decide(.approve, in: world)
        #expect(world.log.events.first == .sending(.approve, try World.authorization().id))
        #expect(world.log.contents.withLock { $0.underWay } == [])
    }

    @Test func aWrongPINProvesNothing() async throws {
        let world = try World()
        let shown = try Self.shown(World.authorization(), of: world.connection)
        #expect(throws: PINError.wrong(triesLeft: 8)) {
            try OpenGate().prove(PlainSecret("000000"), from: .person, for: shown.authorization.fingerprint)
        }
    }

    @Test func aProofIsForTheContentThatWasShown() async throws {
        let world = try World()
        let deciding = Deciding(try world.workspace())
        let one = try Self.shown(World.authorization(), of: world.connection)
        let two = try Self.shown(World.authorization(content: 2), of: world.connection)
        let proof = try OpenGate().prove(PlainSecret("271828"), from: .person, for: one.authorization.fingerprint)
        await #expect(throws: DecisionError.notProved) {
            try await deciding.approve(two, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
    }

    @Test func theFingerprintOfOtherContentIsRefused() throws {
        let world = try World()
        let other = try World.authorization(content: 2)
        #expect(throws: DecisionError.changed) {
            try ShownAuthorization(World.authorization(), of: world.connection, named: other.fingerprint)
        }
    }

    /// The outcome of a sent decision after each error of the bank.
    @Test(arguments: [
        (BankError(.noAnswer, ""), Outcome.unknown), (BankError(.malformedAnswer, "", status: 200), .unknown),
        (BankError(.tooLarge, ""), .unknown), (BankError(.refused, "", status: 500), .unknown),
        (BankError(.refused, "", errorClass: BankText("InvalidSignature"), status: 500), .refused),
        (BankError(.refused, "", status: 400), .refused), (BankError(.authorizationGone, ""), .refused),
        (BankError(.unreachable(), ""), .unsent), (BankError(.cryptography, ""), .unsent),
        (BankError(.actionRefused, "", errorClass: BankText("ActionClosed"), status: 422), .expired),
        (BankError(.actionRefused, "", errorClass: BankText("ActionExpired"), status: 422), .expired),
    ])
    func errorsAfterSending(_ error: BankError, _ expected: Outcome) async throws {
        let world = try World(.init(shown: [.success(try World.authorization())], answers: [.failure(error)]))
        let decided = try await decide(.approve, in: world)
        #expect(decided.outcome == expected)
        #expect(decided.basis == (expected == .unknown || expected == .unsent ? nil : .answered))
        #expect(decided.error?.kind == error.kind)
        let id = try World.authorization().id
        let sending = MemoryLog.Event.sending(.approve, id)
        #expect(world.log.events == (expected == .unknown ? [sending] : [sending, .answered(expected)]))
        #expect(world.bank.script.withLock { $0.sent.count } == 1, "never sent twice")
    }

    @Test func clocksThatDifferAreCorrectedOnce() async throws {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(200))
        let world = try World(
            .init(
                shown: [.success(try World.authorization())],
                answers: [.failure(late), .success(.confirmed)]))
        #expect(try await decide(.approve, in: world).outcome == .confirmed)
        #expect(world.bank.script.withLock { $0.corrections } == [0, 200])
        let id = try World.authorization().id
        #expect(
            world.log.events == [
                .sending(.approve, id), .answered(.refused), .sending(.approve, id), .answered(.confirmed),
            ])
    }

    /// A bank that names a time a hundred years ahead gets no signature that is valid until then.
    @Test(arguments: [601.0, -601, 5_000_000_000]) func clocksThatDifferByMuchAreNotCorrected(_ offset: Double)
        async throws
    {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(offset))
        let shown = try World.authorization(expiresIn: 10_000_000_000)
        let world = try World(.init(shown: [.success(shown)], answers: [.failure(late), .success(.confirmed)]))
        await #expect { try await decide(.approve, in: world, shown: shown) } throws: {
            ($0 as? BankError)?.kind == .clocksDiffer
        }
        #expect(world.bank.script.withLock { $0.corrections } == [0])
        #expect(world.log.events == [.sending(.approve, shown.id), .answered(.refused)])
    }

    @Test func anAuthorizationExpiredByTheBanksClockIsNotApproved() async throws {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(301))
        let world = try World(
            .init(shown: [.success(try World.authorization())], answers: [.failure(late), .success(.confirmed)]))
        await #expect(throws: DecisionError.expired) { try await decide(.approve, in: world) }
        #expect(world.bank.script.withLock { $0.corrections } == [0])
    }

    @Test func theClockIsCorrectedOnlyOnce() async throws {
        let late = BankError(.signatureExpired, "", bankTime: World.now.addingTimeInterval(200))
        let world = try World(
            .init(shown: [.success(try World.authorization())], answers: [.failure(late), .failure(late)]))
        await #expect {
            try await decide(.approve, in: world)
        } throws: {
            ($0 as? BankError)?.kind == .signatureExpired
        }
        #expect(world.bank.script.withLock { $0.sent.count } == 2)
    }

    @Test func anOutcomeIsToldEvenIfTheLogFails() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.confirmed)]))
        world.log.contents.withLock { $0.failsToRecordAnswers = true }
        let decided = try await decide(.approve, in: world)
        #expect(decided.outcome == .confirmed)
        #expect(decided.unrecorded is SecretServiceError)
    }

    /// v2: an HTTP success does not confirm; only the matching final status does.
    @Test(arguments: [
        (AuthorizationStatus.confirmed, Outcome.confirmed), (.denied, .refused), (.error, .refused),
        (.closed, .expired),
        (.timeOut, .expired), (.unavailable, .expired),
    ])
    func followsToTheFinalStatus(_ word: AuthorizationStatus, _ expected: Outcome) async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: [
                    .success(.confirmProcessing), .failure(BankError(.authorizationGone, "")),
                    .failure(BankError(.unreachable(), "")), .success(.pending), .success(word),
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

    /// A bank that is slow to answer does not prolong the wait.
    @Test func theWaitForASlowBankIsLimited() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: Array(repeating: .success(.confirmProcessing), count: 1000), secondsToAStatus: 0.05))
        #expect(try await decide(.approve, in: world, waiting: Self.shortWaiting).outcome == .processing)
        #expect(world.bank.script.withLock { $0.statuses.count } > 990)
    }

    /// Who stops waiting has sent the decision all the same.
    @Test func anInterruptedWaitIsNoFailure() async throws {
        let world = try World(
            .init(
                shown: [.success(try World.authorization())], answers: [.success(.processing)],
                statuses: Array(repeating: .success(.confirmProcessing), count: 1000)))
        let waiting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await self.decide(.approve, in: world, waiting: Self.waiting)
        }
        #expect(try await waiting.value.outcome == .processing)
    }

    @Test func aBankThatWantsAPositionGetsOneForApprovals() async throws {
        let world = try World()
        let deciding = Deciding(try world.workspace())
        let shown = try Self.shown(World.authorization(needsPosition: true), of: world.connection)
        let proof = try OpenGate().prove(PlainSecret("271828"), from: .person, for: shown.authorization.fingerprint)
        await #expect(throws: DecisionError.geolocationRequired) {
            try await deciding.approve(shown, proof: proof, at: nil, by: Self.requester, waiting: Self.waiting)
        }
    }
}
