@testable import Records
import Basics
import Foundation
@testable import Ledger
import ApprovalModel
import Keys
import Synchronization
import Testing

/// Events of one decision, in order, and the entry that they result in.
struct Story: Sendable, CustomTestStringConvertible {
    enum Event: Sendable {
        case answered(Outcome)
        case resolved(Resolution)
    }

    var events: [Event]
    var outcome: Outcome
    var basis: Basis?
    var isFinal: Bool
    var waits: Bool
    var again: Bool

    init(
        _ events: [Event], _ outcome: Outcome, _ basis: Basis? = nil, final isFinal: Bool = false, waits: Bool = false,
        again: Bool = false
    ) {
        self.events = events
        self.outcome = outcome
        self.basis = basis
        self.isFinal = isFinal
        self.waits = waits
        self.again = again
    }

    var testDescription: String { "\(events)" }

    static let all: [Story] = [
        Story([], .unknown, waits: true),
        Story([.answered(.confirmed)], .confirmed, .answered, final: true),
        Story([.answered(.denied)], .denied, .answered, final: true),
        Story([.answered(.expired)], .expired, .answered, final: true),
        Story([.answered(.refused)], .refused, .answered, final: true, again: true),
        Story([.answered(.unsent)], .unsent, nil, final: true, again: true),
        Story([.answered(.unknown)], .unknown, waits: true),
        Story([.answered(.processing)], .processing, .answered, waits: true),
        Story([.answered(.processing), .resolved(.outcome(.denied, .answered))], .denied, .answered, final: true),
        Story(
            [.answered(.processing), .resolved(.outcome(.refused, .answered))], .refused, .answered, final: true,
            again: true),
        Story([.answered(.processing), .resolved(.lost)], .unknown, final: true, again: true),
        Story([.resolved(.outcome(.unknown, .inferred))], .unknown, .inferred, final: true, again: true),
        // As earlier releases wrote it, which took this outcome for certain.
        Story([.resolved(.outcome(.confirmed, .inferred))], .unknown, .inferred, final: true, again: true),
        Story([.resolved(.lost)], .unknown, final: true, again: true),
        Story([.resolved(.lost), .resolved(.outcome(.unknown, .inferred))], .unknown, final: true, again: true),
        Story([.resolved(.stillOpen)], .unknown, waits: true, again: true),
        Story(
            [.resolved(.stillOpen), .resolved(.outcome(.unknown, .inferred))], .unknown, .inferred, final: true,
            again: true),
        Story([.resolved(.stillOpen), .answered(.confirmed)], .confirmed, .answered, final: true),
        // The first final outcome stays,
        Story([.answered(.confirmed), .resolved(.outcome(.denied, .inferred))], .confirmed, .answered, final: true),
        Story([.answered(.confirmed), .resolved(.stillOpen)], .confirmed, .answered, final: true),
        Story([.answered(.confirmed), .answered(.refused)], .confirmed, .answered, final: true),
        // but the bank's own answer replaces what was inferred.
        Story(
            [.resolved(.outcome(.confirmed, .inferred)), .answered(.refused)], .refused, .answered, final: true,
            again: true),
        Story([.resolved(.lost), .answered(.confirmed)], .confirmed, .answered, final: true),
    ]
}

struct DecisionLogTests {
    private let home: TestHome
    private let vault: MemoryVault
    private let log: SealedLog

    init() throws {
        home = try TestHome()
        vault = try MemoryVault()
        log = SealedLog(try home.database(), sealer: vault)
    }

    private func reopened() throws -> SealedLog {
        SealedLog(try home.database(), sealer: vault)
    }

    /// A keyring may be slow with the second copy of the head. Reading must not wait for it, or an agent could not be
    /// locked meanwhile.
    @Test func nobodyWhoReadsWaitsForTheKeyring() throws {
        let recorded = try log.send(Sample())
        let database = log.chain.database
        let reads = Mutex(0)
        vault.whileAsked.withLock { asked in
            asked = {
                let read = DispatchSemaphore(value: 0)
                Thread {
                    _ = try? database.record()
                    read.signal()
                }.start()
                if read.wait(timeout: .now() + 5) == .success { reads.withLock { $0 += 1 } }
            }
        }
        try log.recordAnswer(.confirmed, to: recorded, at: later)
        // The second copy is read once and written once.
        #expect(reads.withLock { $0 } == 2)
        #expect(try log.verify() == .intact(events: 2))
    }

    @Test func anEntryKeepsWhatWasShownAndSigned() throws {
        let sample = try Sample()
        let recorded = try log.send(sample)
        try log.recordAnswer(.confirmed, to: recorded, at: later)
        let entry = try #require(try reopened().entries().first)
        #expect(entry.sequence == recorded.sequence)
        #expect(entry.at == somewhen)
        #expect(entry.shown == sample.card)
        #expect(entry.verdict == .approve)
        #expect(entry.requester == requester)
        #expect(entry.signedBytes == sample.signed.signedBytes)
        #expect(entry.signature == sample.signed.signature)
        #expect(entry.outcomeAt == later)
        #expect(
            entry.hash == (try home.fetch("SELECT lower(hex(mac)) FROM event WHERE sequence = 1") as [String]).first)
    }

    /// The content of an event as earlier versions wrote it: its card has no fields.
    @Test func anEntryOfAVersionThatKeptNoFieldsIsRead() throws {
        let content = #"""
            {"at":915148800,"kind":{"sending":{"_0":{"attempt":1,"requester":{"commands":["watch"],"pid":4711,"uid":1000},
            "shown":{"bank":"Fern Bank","code":"c0de","connection":"one","connectionName":"fernbank","expiresAt":915149100,
            "fingerprint":"\#(String(repeating: "07", count: 32))","host":"sca.fernbank.example","id":"1",
            "source":"{}","text":"Amount: 9.90 EUR","title":"Pay 9.90 EUR"},
            "signature":"c2lnbmVk","signedBytes":"Y29uZmlybQ==","verdict":"approve"}}}}
            """#
        guard case .sending(let sending) = try JSONDecoder().decode(LogEvent.self, from: Data(content.utf8)).kind else {
            Issue.record("it is no decision")
            return
        }
        #expect(sending.shown.fields == nil)
        #expect(sending.shown.text == "Amount: 9.90 EUR")
        #expect(sending.shown.fingerprint == (try Sample().card.fingerprint))
    }

    @Test(arguments: Story.all)
    func eventsFold(_ story: Story) throws {
        let recorded = try log.send(Sample())
        for event in story.events {
            switch event {
            case .answered(let outcome): try log.recordAnswer(outcome, to: recorded, at: later)
            case .resolved(let resolution): try log.resolve(recorded.sequence, resolution, at: later)
            }
        }
        let log = try reopened()
        let entry = try #require(try log.entries().first)
        #expect(entry.outcome == story.outcome)
        #expect(entry.basis == story.basis)
        #expect(entry.likely == (story.basis == .inferred ? .confirmed : nil))
        #expect(entry.isFinal == story.isFinal)
        #expect((entry.outcomeAt != nil) == (story.basis != nil || story.isFinal))
        #expect(try log.unresolved(of: ConnectionGUID("one")) == (story.waits ? [entry] : []))
        #expect(try log.unresolvedConnections() == (story.waits ? [ConnectionGUID("one")] : []))
        if story.again {
            #expect(try log.send(Sample()).sequence > recorded.sequence)
        } else {
            #expect(throws: StoreError.alreadyDecided) { try log.send(Sample()) }
        }
        guard case .intact = try log.verify() else {
            Issue.record("the log is broken")
            return
        }
    }

    /// Also what the bank called denied first; and a new home reads it.
    @Test(arguments: [Outcome.denied, .refused, .processing, .unknown])
    func aDenialThatReadsConfirmedIsKept(_ outcome: Outcome) throws {
        let recorded = try log.send(Sample(verdict: .deny))
        try log.recordAnswer(outcome, to: recorded, at: somewhen)
        for _ in 0..<2 { try log.resolve(recorded.sequence, .overturned, at: later) }
        let entry = try #require(try reopened().entries().first)
        #expect(entry.isOverturned && entry.isFinal)
        #expect((entry.outcome, entry.basis, entry.outcomeAt) == (.refused, .answered, later))
        #expect(try log.verify() == .intact(events: outcome == .unknown ? 2 : 3))
        #expect(try log.unresolvedConnections().isEmpty)
    }

    @Test func sayingItAgainWritesNothing() throws {
        let recorded = try log.send(Sample())
        for _ in 0..<3 { try log.resolve(recorded.sequence, .stillOpen, at: later) }
        for _ in 0..<3 { try log.resolve(recorded.sequence, .lost, at: later) }
        #expect(try log.verify() == .intact(events: 3))
    }

    @Test func otherConnectionsIDsAndCodesAreOthers() throws {
        _ = try log.send(Sample())
        _ = try log.send(Sample("2"))
        _ = try log.send(Sample(connection: "two"))
        _ = try log.send(Sample(code: "other"))
        _ = try log.send(Sample(code: nil))
        _ = try log.send(Sample(code: ""))
        // Each part has a length, so no character can move from one part to the next.
        _ = try log.send(Sample("1c", code: "0de"))
        #expect(try log.entries().count == 7)
        // Neither the verdict nor the content of the card changes the key.
        #expect(throws: StoreError.alreadyDecided) { try log.send(Sample(verdict: .deny, title: "other")) }
        #expect(try log.unresolved(of: ConnectionGUID("two")).count == 1)
        #expect(try log.unresolvedConnections() == [ConnectionGUID("one"), ConnectionGUID("two")])
    }

    @Test func aNewDecisionTakesThePlaceOfOneStillOpen() throws {
        let first = try log.send(Sample())
        try log.resolve(first.sequence, .stillOpen, at: later)
        let second = try log.send(Sample(verdict: .deny))
        #expect(try log.unresolved(of: ConnectionGUID("one")).map(\.sequence) == [second.sequence])
        try log.resolve(first.sequence, .outcome(.unknown, .inferred), at: later)
        #expect(try log.entries().first?.basis == nil)
        try log.resolve(second.sequence, .stillOpen, at: later)
        let third = try log.send(Sample())
        try log.recordAnswer(.refused, to: third, at: later)
        #expect(try log.send(Sample()).sequence == 7)
        #expect(throws: StoreError.alreadyDecided) { try log.send(Sample()) }
    }

    /// A decision on an authorization that was given up as gone, and is listed again, did not count. With other content
    /// nothing is known about it.
    @Test(arguments: [Resolution.lost, .outcome(.unknown, .inferred)])
    func whatCameBackMayBeDecidedOnlyAsItWas(_ resolution: Resolution) throws {
        let first = try log.send(Sample())
        try log.resolve(first.sequence, resolution, at: later)
        var other = try Sample()
        other.card.fingerprint = try #require(Fingerprint(bytes: [UInt8](repeating: 8, count: 32)))
        #expect(throws: StoreError.alreadyDecided) { try log.send(other) }
        #expect(try log.send(Sample()).sequence > first.sequence)
    }

    @Test func aDecisionIsUnderWayUntilItsCallEnds() throws {
        let one = try log.send(Sample())
        var other: RecordedDecision? = try log.send(Sample("2"))
        let second = try #require(other?.sequence)
        #expect(try log.isUnderWay(one.sequence))
        #expect(try reopened().isUnderWay(one.sequence))
        #expect(try reopened().isUnderWay(second))
        #expect(try !log.isUnderWay(second + 1))
        one.call?.end()
        #expect(try !reopened().isUnderWay(one.sequence))
        #expect(try reopened().isUnderWay(second))
        other = nil
        #expect(try !reopened().isUnderWay(second))
    }

    @Test func claimsStandBesideDecisions() throws {
        let bank = try connection("one")
        func action(_ id: String) throws -> ClaimedAction {
            ClaimedAction(
                ActionLink(
                    id: BankText(id), bank: BankText(""), returnTo: nil, isFor: { _ in true }, content: ()), for: bank)
        }
        let first = try log.recordClaiming(action("u-1"), by: requester, at: somewhen)
        let decision = try log.send(Sample())
        _ = try log.recordClaiming(action("u-2"), by: requester, at: later)
        try log.recordClaim(.claimed, authorization: BankID("88"), of: first, at: later)
        try log.recordClaim(.unknown, authorization: nil, of: first, at: later)
        let log = try reopened()
        let claims = try log.claims()
        #expect(claims.map(\.action) == [try action("u-1"), try action("u-2")])
        #expect(claims.map(\.outcome) == [.claimed, .unknown])
        #expect(claims.map(\.authorization) == [BankID("88"), nil])
        #expect(claims.map(\.requester) == [requester, requester])
        #expect(try log.entries().map(\.sequence) == [decision.sequence])
        #expect(try log.unresolved(of: ConnectionGUID("one")).map(\.sequence) == [decision.sequence])
        #expect(try log.verify() == .intact(events: 4))
    }

    @Test func aDecisionThatIsNotThere() throws {
        #expect(throws: StoreError.notFound("there is no decision 1 in the log")) {
            try log.resolve(1, .lost, at: later)
        }
        _ = try log.send(Sample())
        #expect(throws: StoreError.notFound("there is no decision 2 in the log")) {
            try log.resolve(2, .lost, at: later)
        }
    }

    @Test func ofManyAtOnceOneMayDecide() async throws {
        let sample = try Sample()
        let wins = await withTaskGroup { group in
            for _ in 0..<6 {
                group.addTask {
                    do {
                        _ = try SealedLog(home.database(), sealer: vault).send(sample)
                        return true
                    } catch {
                        #expect(error as? StoreError == StoreError.alreadyDecided)
                        return false
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(wins == 1)
        #expect(try log.verify() == .intact(events: 1))
    }
}
