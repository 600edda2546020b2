@testable import Approvals
import Basics
import FoundationEssentials
import ApprovalModel
import Keys
import Synchronization
import Testing

@Suite struct DecidedTests {
    @Test func theLogIsReadOnceForAllRemovedItems() throws {
        let world = try World()
        let log = ReadLog([try World.entry(content: 2)])
        var workspace = try world.workspace()
        workspace.log = log
        let items = try [UInt8(1), 2, 3].map {
            Inbox.Item(connection: world.connection, authorization: try World.authorization("\($0)", content: $0))
        }
        let completed = workspace.completing(items.map { .removed($0) })
        let decided = completed.compactMap { event -> BankID? in
            guard case .decided(let item, _) = event else { return nil }
            return item.authorization.id
        }
        #expect(completed.count == 4)
        #expect(decided == [BankID("2")])
        #expect(log.reads.withLock { $0 } == 1)
    }

    @Test func theLogIsNotReadIfNothingWasRemoved() throws {
        let world = try World()
        let log = ReadLog([])
        var workspace = try world.workspace()
        workspace.log = log
        let item = Inbox.Item(connection: world.connection, authorization: try World.authorization())
        #expect(workspace.completing([.added(item)]).count == 1)
        #expect(log.reads.withLock { $0 } == 0)
    }
}

/// A log that counts how often it is read.
private final class ReadLog: DecisionLog, ClaimLog {
    let reads = Mutex(0)
    private let all: [DecisionEntry]

    init(_ all: [DecisionEntry]) { self.all = all }

    func entries() throws -> [DecisionEntry] {
        reads.withLock { $0 += 1 }
        return all
    }
    func recordSending(_ decision: SignedDecision, shown: ShownCard, by requester: Requester, at: Date) throws
        -> RecordedDecision
    { throw Unprovided("recordSending") }
    func recordAnswer(_ answer: Outcome, to decision: RecordedDecision, at: Date) throws {
        throw Unprovided("recordAnswer")
    }
    func resolve(_ sequence: Int64, _ resolution: Resolution, at: Date) throws { throw Unprovided("resolve") }
    func isAnswered(_ authorization: Authorization) throws -> Bool { throw Unprovided("isAnswered") }
    func isUnderWay(_ sequence: Int64) throws -> Bool { throw Unprovided("isUnderWay") }
    func unresolved(of connection: ConnectionGUID) throws -> [DecisionEntry] { throw Unprovided("unresolved") }
    func unresolvedConnections() throws -> Set<ConnectionGUID> { throw Unprovided("unresolvedConnections") }
    func verify() throws -> LogVerdict { throw Unprovided("verify") }
    func recordClaiming(_ action: ClaimedAction, by requester: Requester, at: Date) throws -> Int64 {
        throw Unprovided("recordClaiming")
    }
    func recordClaim(_ outcome: ClaimOutcome, authorization: BankID?, of sequence: Int64, at: Date) throws {
        throw Unprovided("recordClaim")
    }
    func claims() throws -> [ClaimEntry] { throw Unprovided("claims") }
}
