package import Approvals
import Basics
import Dialogue
import FoundationEssentials
package import ApprovalModel
package import Keys

/// The wing of an agent that polls banks, announces waiting requests, and serves decisions and enrollments.
///
/// While open, it has a workspace like any command. While hidden, it keeps only the data for polling, in locked memory.
/// While shut, it keeps nothing.
@AgentActor
package final class ApprovalWing {
    /// The wing's dependencies.
    package struct Dependencies: Sendable {
        /// A workspace on an opened vault.
        package var workspace: @Sendable (any OpenVault) -> Workspace
        package var setup: LocalOperations.Setup
        package var providers: Providers
        package var connectionCounts: @Sendable () throws -> ConnectionCounts
        /// Whether a note says that the agent is shut and misses requests.
        package var notesWhenShut: Bool
        package var pace: PollSchedule.Pace
        /// Where polls run; nil for the default executor.
        package var executor: (any TaskExecutor)?
        /// How polling waits on `executor`; nil for the clock's own way.
        package var sleep: Poller.Sleep?
        package var announcer: any Announcing

        package init(
            workspace: @escaping @Sendable (any OpenVault) -> Workspace, setup: LocalOperations.Setup,
            providers: Providers, connectionCounts: @escaping @Sendable () throws -> ConnectionCounts,
            notesWhenShut: Bool = true, pace: PollSchedule.Pace,
            executor: (any TaskExecutor)? = nil, sleep: Poller.Sleep? = nil, announcer: any Announcing
        ) {
            self.workspace = workspace
            self.setup = setup
            self.providers = providers
            self.connectionCounts = connectionCounts
            self.notesWhenShut = notesWhenShut
            self.pace = pace
            self.executor = executor
            self.sleep = sleep
            self.announcer = announcer
        }
    }

    /// The wing's data while open.
    struct Open {
        let workspace: Workspace
        let vault: AgentVault
        let watcher: Watcher
        let seen = SeenAuthorizations()
        let polling: Polling
        /// The requests that wait. The key does not hold the connection's name, which may change.
        var cards: [ItemKey: Card] = [:]
        /// The references that each request had under earlier names of its connection.
        var formerReferences: [ItemKey: Set<String>] = [:]
        var waiting: [ConnectionGUID: Set<BankID>] = [:]
        /// The banks that fail, and since when.
        var failures: [ConnectionGUID: (connection: Connection, error: any Error, since: Date)] = [:]
    }

    /// The wing's data while hidden.
    struct Hidden {
        let polling: Polling
        /// The connections that are polled, without those whose bank no longer knows them.
        var connections: [ConnectionGUID]
        var waiting: [ConnectionGUID: Set<BankID>]

        var count: Int { waiting.values.map(\.count).reduce(0, +) }
    }

    enum State {
        case open(Open)
        case hidden(Hidden)
        case nothing
    }

    /// A poller and the task that runs it.
    struct Polling {
        let poller: Poller
        let task: Task<Void, Never>
    }

    nonisolated let dependencies: Dependencies
    nonisolated let clock: Clock
    let core: AgentCore
    let underWay = DecisionsUnderWay()
    var state = State.nothing
    var enrollments: [String: LocalEnrollment] = [:]
    /// Until when at most the agent stays open for each of them, while a person is at the bank's page.
    var pages: [String: ContinuousClock.Instant] = [:]
    /// The same for requests that an action brought: the bank's page waits for the person's decision.
    var claimed: [ItemKey: ContinuousClock.Instant] = [:]
    /// Notices when the person may be approving out of habit. Survives a lock.
    var fatigue = FatigueGuard()
    /// The last question about a request. It is kept after its answer: the next one about the same request then knows whether that was
    /// on its bank's list.
    var question: OpenQuestion?
    /// Whether it is on the screen.
    var isQuestionOpen = false
    /// When a shut agent last looked whether it has connections.
    var lastCount: ContinuousClock.Instant?

    init(_ dependencies: Dependencies, on core: AgentCore) {
        self.dependencies = dependencies
        self.core = core
        clock = core.dependencies.clock
    }

    /// The operations for one request. A person's request prolongs the unlock.
    func localOperations(for caller: CallerContext) throws -> LocalOperations {
        core.use(for: caller)
        return try operationsWithoutUse(for: caller)
    }

    /// The operations for the agent's own work, which does not prolong the unlock.
    func operationsWithoutUse(for caller: CallerContext) throws -> LocalOperations {
        let open = try demandOpen()
        return LocalOperations(
            open.workspace, dependencies.setup, for: caller.requester, seen: open.seen,
            demandOpen: open.vault.demandOpen,
            connectionsChanged: { [weak self] in await self?.connectionsChanged() },
            requestsChanged: { [weak self] in await self?.requestsChanged(at: $0) },
            claimed: { [weak self] in await self?.holdOpen(for: ItemKey($0, $1)) })
    }

    /// Returns the data while open. Throws a failure of kind `locked` otherwise.
    func demandOpen() throws -> Open {
        core.tick()
        guard case .open(let open) = state else { throw AgentCore.isLocked }
        return open
    }

    // MARK: Waiting requests

    /// The requests that are known to wait, at all banks or at one, without asking a bank.
    func known(_ connection: String?) throws -> PendingRound {
        let open = try demandOpen()
        let cards = open.cards.values.filter { connection == nil || $0.connection.text == connection }
        return PendingRound(
            authorizations: cards.sorted(by: Card.areInOrder),
            failures: BankFailurePayload.damagedRows(try open.workspace.connections.damagedRows()), asked: 0, failed: 0)
    }

    /// How many requests are known to wait; nil while shut.
    var waiting: Int? {
        switch state {
        case .open(let open): open.cards.count
        case .hidden(let hidden): hidden.count
        case .nothing: nil
        }
    }

    /// How many requests are known to wait; nil while shut, and also while none is known and not all banks have
    /// answered yet.
    var knownWaiting: Int? {
        switch state {
        case .open(let open): open.knownWaiting
        case .hidden(let hidden): hidden.count
        case .nothing: nil
        }
    }
}

extension Card {
    /// By creation, then by reference (saltedge-v1 section 13).
    static func areInOrder(_ a: Card, _ b: Card) -> Bool {
        (a.createdAt ?? .distantPast, a.reference) < (b.createdAt ?? .distantPast, b.reference)
    }
}
