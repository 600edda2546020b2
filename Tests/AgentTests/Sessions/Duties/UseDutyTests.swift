@testable import Agent
import Basics
import FoundationEssentials
import SessionModel
import Synchronization
import Testing

/// How the uses of grants are counted and written.
@Suite(.timeLimit(.minutes(2))) struct UseDutyTests {
    private final class Writer: UseWriting {
        let calls = Recorded<String>()
        let isFull = Mutex(false)
        let isDue = Mutex(false)
        let hasTokens = Mutex(false)

        func isNoteDue(by grant: ProgramGrant) -> Bool { isDue.withLock { $0 } }
        func count(_ uses: Int, by grant: String, at date: Date) throws {
            if isFull.withLock({ $0 }) { throw CancellationError() }
            calls.add("\(grant) \(uses) \(Int(date.timeIntervalSince(ManualClock.start)))")
        }
        func noteUses() throws { calls.add("note") }
        var hasUnsaved: Bool { hasTokens.withLock { $0 } }
        func takeRescued() { calls.add("save") }
    }

    private let clock = ManualClock()
    private let writer = Writer()
    private let uses: GrantUses

    init() { uses = GrantUses(clock.clock) }

    private func use(_ grant: String = "g-1", after time: Duration = .zero) throws {
        clock.pass(time)
        uses.used(try Duty.grant(grant), in: writer)
    }

    private func tick(after time: Duration = .zero) {
        clock.pass(time)
        uses.tick(at: clock.clock.moment(), in: writer)
    }

    @Test func theyAreWrittenOnceAMinute() throws {
        tick()
        for grant in ["g-1", "g-2", "g-1"] { try use(grant, after: .seconds(10)) }
        tick(after: .seconds(29))
        #expect(writer.calls.all == ["note"])
        tick(after: .seconds(1))
        #expect(Set(writer.calls.all) == ["note", "g-1 2 30", "g-2 1 20"])
        tick(after: GrantUses.countInterval)
        #expect(writer.calls.count == 3)
    }

    @Test func aNoteThatIsDueIsWrittenAtOnce() throws {
        try use()
        writer.isDue.withLock { $0 = true }
        try use(after: .seconds(1))
        #expect(writer.calls.all == ["g-1 2 1"] && uses.counts.isEmpty)
    }

    @Test func aFullDiskLosesNoUse() throws {
        writer.isFull.withLock { $0 = true }
        try use()
        uses.write(in: writer)
        try use(after: .seconds(5))
        #expect(uses.counts == ["g-1": 2])
        writer.isFull.withLock { $0 = false }
        uses.write(in: writer)
        #expect(writer.calls.all == ["g-1 2 5"])
    }

    @Test func withoutTheKeyTheyAreForgotten() throws {
        try use()
        uses.forget()
        uses.write(in: writer)
        #expect(writer.calls.all == [])
    }

    @Test func theLogIsLookedAtOnceAnHour() {
        for _ in 0..<120 { tick(after: .seconds(60)) }
        #expect(writer.calls.all == ["note", "note"])
    }

    @Test func tokensThatCouldNotBeWrittenAreTriedFourTimesAMinute() async {
        tick()
        writer.hasTokens.withLock { $0 = true }
        for _ in 0..<31 { tick(after: .seconds(1)) }
        // Each attempt is a task of its own.
        await writer.calls.until { $0.count { $0 == "save" } == 3 ? () : nil }
        #expect(writer.calls.all.count { $0 == "save" } == 3)
    }
}
