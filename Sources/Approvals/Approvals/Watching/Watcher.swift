package import ApprovalModel
import Synchronization

/// Polls the banks of all connections and reports changes.
package final class Watcher: Sendable {
    private struct State {
        var differ = ListDiffer()
        var connections: [ConnectionGUID: Connection] = [:]
        /// The connections with unsettled decisions; nil if that is not known.
        var unresolved: Set<ConnectionGUID>?
        var contacts = BankContacts()
    }

    private let workspace: Workspace
    package let poller: Poller
    private let state = Mutex(State())

    /// The poller waits by the workspace's clock if `sleep` is nil.
    package init(_ workspace: Workspace, pace: PollSchedule.Pace = .init(), sleep: Poller.Sleep? = nil) {
        self.workspace = workspace
        poller = Poller(pace: pace, clock: workspace.clock, sleep: sleep)
    }

    /// The faults of items that are still listed, for a new watcher; ordered by the connection's name.
    package func faults() -> [WatchEvent] {
        state.withLock { state in
            state.differ.faults.compactMap { guid, faults in state.connections[guid].map { ($0, faults) } }
                .sorted { $0.0.name < $1.0.name }
                .flatMap { connection, faults in faults.map { .failure(connection, $0) } }
        }
    }

    /// How recent our knowledge of each polled bank is, ordered by the connection's name.
    package func contacts() -> [BankContact] { state.withLock { $0.contacts.all } }

    /// Whether to send `WatchEvent.heard`: when a bank begins or stops answering, and every few seconds.
    package func tellContacts(_ isOn: Bool) { state.withLock { $0.contacts.isTold = isOn } }

    /// The connection as it was last read.
    package func connection(_ guid: ConnectionGUID) -> Connection? { state.withLock { $0.connections[guid] } }

    /// Reads the connections again: returns the connections to poll, and an event for each change.
    package func reload() throws -> (active: [ConnectionGUID], events: [WatchEvent]) {
        // One query for all connections, because the log may be long.
        let unresolved = try? workspace.log.unresolvedConnections()
        return try state.withLock { state in
            // Read inside the lock, so that an older name never replaces a newer one.
            let all = try workspace.connections.connections()
            let now = workspace.clock.now()
            let active = all.filter { workspace.providers.isPolled($0) && $0.isAsked(at: now) }
            state.unresolved = unresolved
            state.connections = Dictionary(all.map { ($0.guid, $0) }, uniquingKeysWith: { first, _ in first })
            state.contacts.follow(all.filter { workspace.providers.isPolled($0) || !$0.isKnownToBank })
            return (
                active.map(\.guid), state.differ.keep(only: all) + state.contacts.news(at: workspace.clock.moment())
            )
        }
    }

    /// Polls until its task is cancelled, then returns. Throws only if the connections cannot be read; failing banks
    /// are events. Notices connections that are added, removed or renamed meanwhile.
    ///
    /// - Parameter emit: receives the changes of one answer, never an empty list. Calls for one connection do not
    ///   overlap.
    package func run(_ emit: @escaping @Sendable ([WatchEvent]) async -> Void) async throws {
        try await poller.run { [self] in
            let (active, events) = try reload()
            if !events.isEmpty { await emit(workspace.completing(events)) }
            return active
        } ask: { [self] guid in
            let (events, heard) = await ask(guid)
            if !events.isEmpty { await emit(events) }
            return heard
        }
    }

    /// Reports changes at a connection that is not polled: requests from links, and their outcomes.
    package func look(at guid: ConnectionGUID) async -> [WatchEvent] { await ask(guid).events }

    private func ask(_ guid: ConnectionGUID) async -> (events: [WatchEvent], heard: Poller.Heard) {
        let inbox = Inbox(workspace)
        let (known, unresolved) = state.withLock { ($0.connections[guid], $0.unresolved) }
        guard let connection = known else { return ([], Poller.Heard()) }
        let start = workspace.clock.now()
        let isSettled = unresolved.map { !$0.contains(guid) } ?? false
        var answer = await inbox.ask(connection, isSettled: isSettled)
        guard !Task.isCancelled else { return ([], Poller.Heard()) }
        let (events, news) = state.withLock { state in
            // The connection may have been renamed meanwhile.
            answer.connection = state.connections[guid] ?? answer.connection
            state.contacts.note(answer, askedAt: start)
            return (
                state.differ.take(answer, at: workspace.clock.now()), state.contacts.news(at: workspace.clock.moment())
            )
        }
        // An item may have been decided during the call, and the answer to that lost: settle it now, so that the events
        // below carry the known outcome.
        if isSettled, events.contains(where: \.isRemoval), case .success(let list) = answer.result {
            try? await inbox.settle(connection, by: list)
        }
        let alarms = ((try? answer.result.get())?.overturned ?? []).map {
            WatchEvent.failure(connection, OverturnedDenial(entry: $0))
        }
        let told = workspace.completing(events) + alarms + news
        switch answer.result {
        case .failure(let error): return (told, Poller.Heard(error: error))
        case .success(let list):
            let isEvent = events.contains { $0.isNews(besides: list.faulty) }
            return (told, Poller.Heard(isEvent: isEvent, at: list.receivedAt))
        }
    }
}
