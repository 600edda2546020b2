@testable import Agent
import Basics
import FoundationEssentials
@testable import SessionModel
import Synchronization
import TestSupport
import Testing

/// The sign-out clock: when the agent looks, which departures it still has to write, and when it sends revocations.
@Suite(.timeLimit(.minutes(2))) struct SignOutDutyTests {
    /// Takes departures, unless it is broken.
    private final class Store: DepartureStore {
        let isBroken = Mutex(false)
        let noted = Recorded<Departure>()

        func note(_ departure: Departure) throws {
            if isBroken.withLock({ $0 }) { throw CancellationError() }
            noted.add(departure)
        }
        func departures() throws -> [Departure] { noted.all }
        func forget(_ departure: Departure) throws {}
    }

    @Test func itLooksFourTimesAMinute() {
        var (watch, now) = (SignOutWatch(), Duty.start)
        let looks = (0..<60).filter { _ in
            defer { now += .seconds(1) }
            return watch.isTime(at: now)
        }
        #expect(looks == [0, 15, 30, 45])
    }

    @Test func aMachineThatWokeLooksAtOnce() {
        var watch = SignOutWatch()
        watch.looked(at: Duty.start)
        let before = watch.isTime(at: Duty.start + .seconds(1))
        watch.hurry()
        let after = [1, 2].map { watch.isTime(at: Duty.start + .seconds($0)) }
        #expect(!before && after == [true, false])
    }

    @Test func aDepartureThatCannotBeWrittenIsWrittenLater() {
        let store = Store()
        var watch = SignOutWatch()
        func departure(_ event: SignOutEvent, at seconds: Double) -> Departure {
            Departure(event, at: Moment(wall: Date(timeIntervalSince1970: seconds), boot: nil))
        }
        store.isBroken.withLock { $0 = true }
        for second in [1.0, 2] { watch.left(departure(.sleep, at: second)) }
        watch.write(to: store)
        #expect(!watch.isAllWritten && store.noted.count == 0)
        store.isBroken.withLock { $0 = false }
        watch.write(to: store)
        watch.write(to: store)
        // The last of each kind counts.
        #expect(watch.isAllWritten && store.noted.all == [departure(.sleep, at: 2)])
    }

    @Test func oneAttemptFollowsTheOther() async throws {
        let clock = ManualClock()
        let sending = await RevocationSending(clock.clock)
        let (door, sent) = (Door(), Recorded<Int>())
        #expect(await sending.isTime(at: clock.clock.moment()))
        await sending.begin {
            await door.passes()
            sent.add(1)
        }
        await sending.begin { sent.add(2) }
        clock.pass(RevocationSending.interval)
        // It does not begin another while one is under way.
        #expect(await !sending.isTime(at: clock.clock.moment()))
        #expect(sent.count == 0)
        door.unlock()
        while let work = await sending.underWay { await work.value }
        #expect(sent.all == [1, 2])
        #expect(await sending.isTime(at: clock.clock.moment()))
        await sending.begin {}
        while let work = await sending.underWay { await work.value }
        clock.pass(RevocationSending.interval - .seconds(1))
        #expect(await !sending.isTime(at: clock.clock.moment()))
    }
}
