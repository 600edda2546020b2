@testable import Agent
import Basics
@testable import SessionModel
@testable import Sessions
import Testing

/// Which step follows from which decision. The decisions themselves are tested in SessionsTests.
struct HandOutDutyTests {
    /// What `HandOut` says to each of these decisions, in order. The first that ends it is the last.
    private func steps(
        _ decisions: [TokenDecision], wait: Int64 = 60, toKnown: SessionError? = nil
    ) throws -> [String] {
        var handOut = HandOut(wait: wait, toKnown: toKnown)
        return try decisions.map { Self.words(try handOut.next(after: $0)) }
    }

    private static func words(_ step: HandOut.Step) -> String {
        switch step {
        case .give(_, let grant): "give \(grant?.id ?? "the person")"
        case .askForPIN(_, let grant): "PIN for \(grant.id)"
        case .askForGrant(let choices): "grant of \(choices.map(\.session.name.text).joined(separator: " or "))"
        case .refuse(let error): "refuse \(error)"
        case .refuseLate: "refuse late"
        case .signedOut(let session, _): "signed out of \(session.name.text)"
        }
    }

    @Test func thePersonNeedsNoGrant() throws {
        #expect(try steps([.yes(Duty.choice(), by: nil)]) == ["give the person"])
        #expect(try steps([.yes(Duty.choice(), by: Duty.grant())]) == ["give g-1"])
        #expect(try steps([.locked]) == ["refuse notAtHand"])
    }

    @Test func thePINCountsForOneGrant() throws {
        let (choice, grant) = (try Duty.choice(), try Duty.grant("g-1", .asked))
        #expect(
            try steps([.afterPIN(choice, by: grant), .afterPIN(choice, by: grant)]) == ["PIN for g-1", "give g-1"])
        let other = try Duty.grant("g-2", .asked)
        #expect(
            try steps([.afterPIN(choice, by: grant), .afterPIN(choice, by: other)]) == ["PIN for g-1", "PIN for g-2"])
        // A lock that comes while it is typed takes everything back.
        #expect(try steps([.afterPIN(choice, by: grant), .locked]) == ["PIN for g-1", "refuse notAtHand"])
        #expect(try steps([.afterPIN(choice, by: grant)], wait: 0) == ["refuse needsWait"])
    }

    /// The program learns of the refusal after the usual delay, unless a lock came.
    @Test func aClosedQuestionForThePINRefuses() throws {
        let (choice, grant) = (try Duty.choice(), try Duty.grant("g-1", .asked))
        var handOut = HandOut(wait: 60)
        #expect(Self.words(try handOut.next(after: .afterPIN(choice, by: grant))) == "PIN for g-1")
        handOut.closed()
        #expect(Self.words(try handOut.next(after: .afterPIN(choice, by: grant))) == "refuse late")
        #expect(Self.words(try handOut.next(after: .locked)) == "refuse notAtHand")
    }

    @Test func thePersonIsAskedForAGrantOnce() throws {
        let wanted = TokenDecision.needsGrant([try Duty.choice("fern"), try Duty.choice("oak")])
        #expect(
            try steps([wanted, .yes(Duty.choice(), by: Duty.grant())]) == ["grant of fern or oak", "give g-1"])
        #expect(try steps([wanted, wanted]) == ["grant of fern or oak", "refuse notGranted"])
    }

    /// Nobody is asked for more than the session has.
    @Test func aGrantBeyondTheSessionIsNotAskedFor() throws {
        #expect(throws: SessionError.self) { try steps([.needsGrant([Duty.choice(scopes: "mail admin")])]) }
    }

    @Test func onlyAKnownProgramLearnsThatNothingFits() throws {
        let none = SessionError.noResource("https://api.example")
        #expect(try steps([.nothing(isKnown: false)], toKnown: none) == ["refuse late"])
        #expect(try steps([.nothing(isKnown: true)]) == ["refuse late"])
        #expect(try steps([.nothing(isKnown: true)], toKnown: none).first?.hasPrefix("refuse noResource") == true)
        // It waited already.
        #expect(
            try steps([.needsGrant([Duty.choice()]), .nothing(isKnown: false)]) == [
                "grant of fern", "refuse notGranted",
            ])
    }

    @Test func anEndedSessionIsReported() throws {
        let name = try Duty.session().name
        #expect(try steps([.signedOut(Duty.choice(), .signedOut(name, .timeOver))]) == ["signed out of fern"])
    }

    /// The challenge of a service may add to a token that was allowed.
    @Test func aWiderTokenIsJudgedAnew() throws {
        var handOut = HandOut(wait: 60, toKnown: .noResource("https://api.example"))
        let (choice, grant) = (try Duty.choice(), try Duty.grant("g-1", .asked))
        _ = try handOut.next(after: .needsGrant([choice]))
        _ = try handOut.next(after: .afterPIN(choice, by: grant))
        handOut.widen()
        #expect(Self.words(try handOut.next(after: .afterPIN(choice, by: grant))) == "give g-1")
        #expect(Self.words(try handOut.next(after: .needsGrant([choice]))) == "grant of fern")
        #expect(Self.words(try handOut.next(after: .nothing(isKnown: true))) == "refuse notGranted")
    }

    @Test func readyIsWhatNeedsNoNote() throws {
        let choice = try Duty.choice()
        #expect(HandOut.ready(.yes(choice, by: nil)) != nil)
        #expect(HandOut.ready(.yes(choice, by: try Duty.grant(hasBeenUsed: true)))?.grant?.id == "g-1")
        #expect(HandOut.ready(.yes(choice, by: try Duty.grant())) == nil)
        for decision in [TokenDecision.afterPIN(choice, by: try Duty.grant()), .needsGrant([choice]), .locked] {
            #expect(HandOut.ready(decision) == nil)
        }
    }

    @Test func aRenewalThatTookAWhileIsJudgedAgain() throws {
        let choice = try Duty.choice()
        func words(_ decision: TokenDecision) -> String { HandOut.loss(decision).map { "\($0)" } ?? "none" }
        #expect(words(.yes(choice, by: nil)) == "none")
        #expect(words(.afterPIN(choice, by: try Duty.grant())) == "none")
        #expect(words(.locked) == "notAtHand")
        #expect(words(.needsGrant([choice])) == "notGranted")
        #expect(words(.nothing(isKnown: true)) == "notGranted")
    }
}
