@testable import Approvals
import Basics
import Dispatch
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

/// How the next poll settles a decision whose answer never came.
struct SettlingTests {
    struct Case: Sendable, CustomStringConvertible {
        var description: String
        var entry: @Sendable () throws -> DecisionEntry
        var list: @Sendable () throws -> AuthorizationList
        var status: Result<AuthorizationStatus?, BankError>?
        var expected: Resolution?
        var isUnderWay = false
    }

    static let cases: [Case] = [
        Case(
            description: "v1: gone in time leaves the approval unknown", entry: { try World.entry() },
            list: { World.list() }, status: .success(nil), expected: .outcome(.unknown, .inferred)),
        Case(
            description: "v1: gone in time leaves the denial unknown", entry: { try World.entry(.deny) },
            list: { World.list() }, status: .success(nil), expected: .outcome(.unknown, .inferred)),
        Case(
            description: "v1: gone after its time is lost", entry: { try World.entry(expiresIn: -1) },
            list: { World.list() }, status: .success(nil), expected: .lost),
        Case(
            description: "v1: the bank's clock says whether it was in time", entry: { try World.entry() },
            list: { World.list(bankTime: World.now.addingTimeInterval(400)) }, status: .success(nil), expected: .lost),
        Case(
            description: "still listed may be decided again", entry: { try World.entry() },
            list: { World.list([try World.authorization()]) }, expected: .stillOpen),
        Case(
            description: "listed with other content is lost", entry: { try World.entry() },
            list: { World.list([try World.authorization(content: 2)]) }, expected: .lost),
        Case(
            description: "listed, but it cannot be opened: nothing is known", entry: { try World.entry() },
            list: { World.list(listed: ["77"]) }, expected: nil),
        Case(
            description: "v1: an item without a readable id may be this one", entry: { try World.entry() },
            list: {
                var list = World.list()
                list.faults = [ItemFault(id: nil, reason: "no id")]
                return list
            }, status: .success(nil), expected: nil),
        Case(
            description: "v2: a final word in the list", entry: { try World.entry() },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .confirmed]) },
            expected: .outcome(.confirmed, .answered)),
        Case(
            description: "v2: the wrong final word is no success", entry: { try World.entry() },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .denied]) },
            expected: .outcome(.refused, .answered)),
        Case(
            description: "v2: a denial that reads confirmed is an alarm", entry: { try World.entry(.deny) },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .confirmed]) },
            expected: .overturned),
        Case(
            description: "v2: a denial that was taken and reads confirmed later is one too",
            entry: { try World.entry(.deny, outcome: .denied) },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .confirmed]) },
            expected: .overturned),
        Case(
            description: "v2: a denial that is gone and reads confirmed", entry: { try World.entry(.deny) },
            list: { World.list() }, status: .success(.confirmed), expected: .overturned),
        Case(
            description: "v2: still processing", entry: { try World.entry(outcome: .processing) },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .confirmProcessing]) },
            expected: nil),
        Case(
            description: "v2: an unknown word is not final", entry: { try World.entry() },
            list: { World.list(listed: ["77"], settled: [try #require(BankID("77")): .unknown(BankText("ok"))]) },
            expected: nil),
        Case(
            description: "v2: gone from the list, its status tells", entry: { try World.entry() },
            list: { World.list() }, status: .success(.closed), expected: .outcome(.expired, .answered)),
        Case(
            description: "v2: gone wholly is lost", entry: { try World.entry() }, list: { World.list() },
            status: .failure(BankError(.authorizationGone, "gone")), expected: .lost),
        Case(
            description: "its call runs now", entry: { try World.entry(age: 5) },
            list: { World.list([try World.authorization()]) }, expected: nil, isUnderWay: true),
        Case(
            description: "its call runs now, and the clock was set back", entry: { try World.entry(age: -500) },
            list: { World.list([try World.authorization()]) }, expected: nil, isUnderWay: true),
        Case(
            description: "its call is over", entry: { try World.entry(age: 5) },
            list: { World.list([try World.authorization()]) }, expected: .stillOpen),
        Case(
            description: "a process that was stopped while it called", entry: { try World.entry(age: 61) },
            list: { World.list([try World.authorization()]) }, expected: .stillOpen, isUnderWay: true),
    ]

    @Test(arguments: cases)
    func settles(_ test: Case) async throws {
        let world = try World(.init(list: .success(try test.list()), statuses: test.status.map { [$0] } ?? []))
        let entry = try test.entry()
        world.log.contents.withLock {
            $0.waiting = [entry]
            if test.isUnderWay { $0.underWay = [entry.sequence] }
        }
        let answer = try #require(await Inbox(try world.workspace()).fetch([world.connection]).first)
        _ = try answer.result.get()
        #expect(world.log.events == (test.expected.map { [.resolved(5, $0)] } ?? []))
        #expect(world.bank.script.withLock { $0.sent.isEmpty }, "a poll must never send a decision")
    }

    /// Polls run the calls of all banks on one executor, and settling may wait for another process.
    @Test func settlingDoesNotRunOnTheExecutorOfPolls() async throws {
        let world = try World(.init(list: .success(World.list([try World.authorization()]))))
        let entry = try World.entry(age: 10)
        world.log.contents.withLock { $0.waiting = [entry] }
        let places = Mutex<[Bool]>([])
        world.log.contents.withLock {
            $0.whenSettling = { places.withLock { $0.append(QueueExecutor.isCurrent) } }
        }
        let workspace = try world.workspace()
        let inbox = Inbox(workspace)
        await withTaskExecutorPreference(QueueExecutor()) {
            #expect(QueueExecutor.isCurrent)
            _ = await inbox.ask(world.connection)
            #expect(QueueExecutor.isCurrent)
        }
        #expect(places.withLock { $0 } == [false, false])
    }

    private final class QueueExecutor: TaskExecutor {
        private static let key = DispatchSpecificKey<Bool>()
        private let queue = DispatchQueue(label: "polls")

        init() { queue.setSpecific(key: Self.key, value: true) }

        static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    @Test func aConnectionThatItsBankForgotIsNoLongerPolled() async throws {
        let world = try World(.init(list: .failure(BankError(.connectionGone, "gone"))))
        let inbox = Inbox(try world.workspace())
        let answer = try #require(await inbox.fetch([world.connection]).first)
        #expect { try answer.result.get() } throws: { ($0 as? BankError)?.kind == .connectionGone }
        let stored = try #require(try world.connections.connections().first)
        #expect(stored.status == .inactive)
        #expect(throws: SecretServiceError(.itemMissing, "no token")) { try world.vault.load(.token, of: KeyID("old")) }
        #expect(try world.vault.keyIDs() == [KeyID("old")], "the key stays until reconnect or revoke")
        // It is reported each time until it is reconnected or revoked, without a call to the bank.
        world.bank.script.withLock { $0.list = nil }
        for _ in 0..<2 {
            let again = try #require(await inbox.fetch([stored]).first)
            #expect(throws: LookupError.inactive(stored.name.text)) { try again.result.get() }
        }
    }

    @Test(arguments: [BankError.Kind.unreachable(), .refused, .malformedAnswer, .tooLarge])
    func otherErrorsNeverChangeAConnection(_ code: BankError.Kind) async throws {
        let world = try World(.init(list: .failure(BankError(code, "reason"))))
        _ = await Inbox(try world.workspace()).fetch([world.connection])
        #expect(try world.connections.connections() == [world.connection])
    }
}
