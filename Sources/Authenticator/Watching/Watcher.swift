import SCA
import Synchronization

/// Polls the banks of all connections and tells what changes.
public final class Watcher: Sendable {
    private struct State {
        var differ = ListDiffer()
        var connections: [ConnectionGUID: Connection] = [:]
        /// Those with decisions whose answer never came; nil when that is not known.
        var unresolved: Set<ConnectionGUID>?
    }

    private let session: Session
    public let poller: Poller
    private let state = Mutex(State())

    /// Without `sleep` the poller waits as tasks do.
    public init(_ session: Session, pace: PollSchedule.Pace = .init(), sleep: Poller.Sleep? = nil) {
        self.session = session
        poller = Poller(pace: pace, sleep: sleep)
    }

    /// What was told of items that cannot be opened and are still listed, for those who come later; by connection's name.
    public func faults() -> [WatchEvent] {
        state.withLock { state in
            state.differ.faults.compactMap { guid, faults in state.connections[guid].map { ($0, faults) } }
                .sorted { $0.0.name < $1.0.name }
                .flatMap { connection, faults in faults.map { .failure(connection, $0) } }
        }
    }

    /// Polls until its task is cancelled; then it returns. Throws only when the connections cannot be read; banks that fail
    /// are events. Connections that come, go or are renamed meanwhile are noticed.
    ///
    /// - Parameter emit: is told what one answer changed, never nothing; one call after the other for each connection.
    public func run(_ emit: @escaping @Sendable ([WatchEvent]) async -> Void) async throws {
        let inbox = Inbox(session)
        try await poller.run { [self] in
            let all = try session.connections.connections()
            // Asked for once for all: the log may be long.
            let unresolved = try? session.log.unresolvedConnections()
            let events = state.withLock { state in
                state.unresolved = unresolved
                state.connections = Dictionary(all.map { ($0.guid, $0) }, uniquingKeysWith: { first, _ in first })
                return state.differ.keep(only: all)
            }
            if !events.isEmpty { await emit(session.completing(events)) }
            return all.filter { $0.status == .active }.map(\.guid)
        } ask: { [self] guid in
            let (known, unresolved) = state.withLock { ($0.connections[guid], $0.unresolved) }
            guard let connection = known else { return Poller.Heard() }
            let answer = await inbox.ask(connection, isSettled: unresolved.map { !$0.contains(guid) } ?? false)
            guard !Task.isCancelled else { return Poller.Heard() }
            let events = state.withLock { $0.differ.take(answer, at: session.clock.now()) }
            if !events.isEmpty { await emit(session.completing(events)) }
            if case .failure(let error) = answer.result { return Poller.Heard(error: error) }
            return Poller.Heard(isEvent: !events.isEmpty)
        }
    }
}
