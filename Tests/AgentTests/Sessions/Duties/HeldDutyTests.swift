@testable import Agent
import Basics
@testable import SessionModel
import Testing

/// How far sessions can be reached, and which changes of them watchers learn of.
struct HeldDutyTests {
    @Test func theyAreAtHandForAsLongAsTheyAreUsed() {
        var held = HeldSessions<String>()
        #expect(held.reachable == nil && !held.isIdle(.zero, at: Duty.start))
        held.open("key", at: Duty.start)
        held.used(at: Duty.start + .seconds(100))
        #expect(!held.isIdle(.seconds(60), at: Duty.start + .seconds(159)))
        #expect(held.isIdle(.seconds(60), at: Duty.start + .seconds(160)))
        #expect(held.atHand == "key" && held.asleep == nil)
    }

    @Test func asleepTheyAreNotAtHand() {
        var held = HeldSessions<String>()
        let none = held.sleep()
        held.open("key", at: Duty.start)
        let key = held.sleep()
        #expect(none == nil && key == "key")
        #expect(held.atHand == nil && held.asleep == "key" && held.reachable == "key")
        // Use does not wake them.
        held.used(at: Duty.start)
        let again = held.sleep()
        #expect(held.atHand == nil && again == nil && !held.isIdle(.zero, at: Duty.start))
        held.letGo()
        #expect(held.reachable == nil)
    }

    @Test func asleepTheyAreCheckedOnceAMinute() {
        var held = HeldSessions<String>()
        held.open("key", at: Duty.start)
        #expect(!held.isTimeToCheck(at: Duty.start))
        _ = held.sleep()
        #expect(held.isTimeToCheck(at: Duty.start))
        held.checked(at: Duty.start)
        #expect(!held.isTimeToCheck(at: Duty.start + .seconds(59)))
        #expect(held.isTimeToCheck(at: Duty.start + .seconds(60)))
    }

    private struct Look: Equatable {
        let name: SessionName
        var version = 0

        init?(_ name: String, _ version: Int = 0) {
            guard let name = SessionName(name) else { return nil }
            (self.name, self.version) = (name, version)
        }
    }

    /// The names in the events after each of these looks; a nil look stands for sessions that may not be named.
    private func events(_ looks: [[String: Look?]?]) -> [[String]] {
        var known = SessionLooks<Look>()
        return looks.map { look in
            let now = look.map { look in
                Dictionary(uniqueKeysWithValues: look.compactMap { id, look in look.map { (SessionID(id), $0) } })
            }
            return known.changes(to: now, at: Duty.start, name: \.name).map(\.text)
        }
    }

    @Test func changesAreTold() {
        let (fern, oak) = (Look("fern"), Look("oak"))
        #expect(events([["1": fern, "2": oak], ["1": fern, "2": oak]]) == [["fern", "oak"], []])
        #expect(events([["1": fern], ["1": Look("fern", 1)], [:]]) == [["fern"], ["fern"], ["fern"]])
        // A renamed session is told by both of its names.
        #expect(events([["1": fern], ["1": Look("elm")]]) == [["fern"], ["elm", "fern"]])
        // Sessions that were out of hand are told anew.
        #expect(events([["1": fern], nil, ["1": fern]]) == [["fern"], [], ["fern"]])
    }

    @Test func aWatcherThatJustCameKnowsAll() throws {
        var looks = SessionLooks<Look>()
        let now = [SessionID("1"): try #require(Look("fern"))]
        looks.begin(with: now)
        #expect(looks.isTime(at: Duty.start))
        let changes = looks.changes(to: now, at: Duty.start, name: \.name)
        #expect(changes == [])
        #expect(!looks.isTime(at: Duty.start + .seconds(14)) && looks.isTime(at: Duty.start + .seconds(15)))
        looks.forget()
        #expect(looks.known == nil)
    }

    @Test func programsThatLeaveWaitForThePIN() throws {
        var leaving = LeavingPrograms()
        let programs = (1...256).map { Program(.unit, "p\($0)") }
        for program in programs + [programs[0]] {
            let isKept = leaving.add(program)
            #expect(isKept)
        }
        let isKept = leaving.add(Program(.unit, "one too many"))
        #expect(!isKept)
        // Those that cannot be revoked now wait for the next PIN.
        let rest = leaving.revoke { program in
            if program == programs[7] { throw CancellationError() }
        }
        #expect(rest == 1 && leaving.all == [programs[7]])
    }
}
