@testable import Agent
import Basics
import FoundationEssentials
@testable import SessionModel
import Testing

/// The requests of programs, from the first call to the person's answer.
struct RequestDutyTests {
    private enum Act {
        case add(String, by: String = "backup")
        case allow(String), refuse(String)
        case drop(String)
        case pass(Duration)
        case enterPIN, clear
    }

    /// Drives the requests by a list of acts, and returns each change that watchers and the desktop learn of.
    private func changes(_ acts: [Act]) throws -> [String] {
        var (requests, now) = (ProgramRequests(), Duty.start)
        return try acts.flatMap { act in try perform(act, &requests, &now).map(Self.words) }
    }

    private func perform(
        _ act: Act, _ requests: inout ProgramRequests, _ now: inout ContinuousClock.Instant
    ) throws -> [ProgramRequests.Change] {
        switch act {
        case .add(let id, let program): return requests.add(try request(id, program, now), at: now) ?? []
        case .allow(let id): return requests.allowed(try requests.request(id))
        case .refuse(let id): return requests.refused(try requests.request(id), at: now)
        case .drop(let program): return requests.drop(Program(.unit, program))
        case .pass(let time):
            now += time
            return requests.expire(at: now)
        case .enterPIN: requests.entered()
        case .clear: return requests.clear()
        }
        return []
    }

    private func request(_ id: String, _ program: String, _ now: ContinuousClock.Instant) throws -> ProgramRequest {
        ProgramRequest(
            id: id, program: Program(.unit, program), isChangeable: false, claim: nil,
            requester: AgentFixture.script.requester,
            choices: [.init(session: try Duty.session(), aim: TokenAim(scopes: nil))], kind: .access,
            at: ManualClock.start, end: now + ProgramRequests.life)
    }

    private static func words(_ change: ProgramRequests.Change) -> String {
        switch change {
        case .came(let id): "came \(id)"
        case .announced(let request): "note \(request.id)"
        case .gone(let id): "gone \(id)"
        }
    }

    @Test func aRequestIsAnsweredOnce() throws {
        #expect(try changes([.add("1"), .allow("1")]) == ["came 1", "note 1", "gone 1"])
        #expect(try changes([.add("1"), .refuse("1")]) == ["came 1", "note 1", "gone 1"])
        #expect(throws: SessionError.self) { try changes([.add("1"), .allow("1"), .refuse("1")]) }
    }

    @Test func aProgramHasOneRequest() throws {
        #expect(
            try changes([.add("1"), .add("2", by: "mail"), .add("3")]) == [
                "came 1", "note 1", "came 2", "note 2", "gone 1", "came 3",
            ])
        #expect(try changes([.add("1"), .drop("mail"), .drop("backup")]) == ["came 1", "note 1", "gone 1"])
    }

    @Test func aProgramHasOneNoteAMinute() throws {
        let acts: [Act] = [
            .add("1"), .pass(ProgramRequests.pause - .seconds(1)), .add("2"), .pass(.seconds(1)), .add("3"),
        ]
        #expect(try changes(acts) == ["came 1", "note 1", "gone 1", "came 2", "gone 2", "came 3", "note 3"])
    }

    /// After three notes that nobody answered, the desktop hears no more of the program until the next PIN.
    @Test(arguments: [false, true]) func threeUnansweredNotesAreEnough(entersPIN: Bool) throws {
        let three = ["1", "2", "3"].flatMap { id in [Act.add(id), .pass(ProgramRequests.life)] }
        let told = try changes(three + (entersPIN ? [.enterPIN] : []) + [.add("4"), .add("5", by: "mail")])
        #expect(told.contains("note 4") == entersPIN)
        #expect(told.contains("note 5"))
    }

    /// A lock takes requests back, which says nothing of the person.
    @Test func aLockIsNoUnansweredNote() throws {
        let three = ["1", "2", "3"].flatMap { id in [Act.add(id), .clear, .pass(ProgramRequests.life)] }
        #expect(try changes(three + [.add("4")]).suffix(2) == ["came 4", "note 4"])
    }

    @Test func sixteenProgramsWaitAtMost() throws {
        let full = (1...16).map { Act.add("\($0)", by: "p\($0)") }
        #expect(try changes(full + [.add("17", by: "p17")]).filter { $0.hasPrefix("came") }.count == 16)
        // A program's own request makes room for its next one.
        #expect(try changes(full + [.add("17", by: "p1")]).suffix(2) == ["gone 1", "came 17"])
    }

    @Test func aRefusedProgramIsNotHeardForAWhile() throws {
        var requests = ProgramRequests()
        let request = try request("1", "backup", Duty.start)
        _ = requests.add(request, at: Duty.start)
        _ = requests.refused(request, at: Duty.start)
        let (fern, oak) = (SessionID("fern"), SessionID("oak"))
        func isRefused(_ program: String, _ session: SessionID, after time: Duration) -> Bool {
            requests.isRefused(Program(.unit, program), session, at: Duty.start + time)
        }
        #expect(isRefused("backup", fern, after: ProgramRequests.life - .seconds(1)))
        #expect(!isRefused("backup", fern, after: ProgramRequests.life))
        #expect(!isRefused("backup", oak, after: .zero) && !isRefused("mail", fern, after: .zero))
    }
}
