public import SCA
import Synchronization

/// Polls the banks of all connections and tells what changes.
public final class Watcher: Sendable {
    private struct State {
        var differ = ListDiffer()
        var connections: [ConnectionGUID: Connection] = [:]
        /// Those with decisions whose answer never came; nil when that is not known.
        var unresolved: Set<ConnectionGUID>?
        var hearings = Hearings()
    }

    private let session: Session
    public let poller: Poller
    private let state = Mutex(State())

    /// Without `sleep` the poller waits by the session's clock.
    public init(_ session: Session, pace: PollSchedule.Pace = .init(), sleep: Poller.Sleep? = nil) {
        self.session = session
        poller = Poller(pace: pace, clock: session.clock, sleep: sleep)
    }

    /// What was told of items that cannot be opened and are still listed, for those who come later; by connection's name.
    public func faults() -> [WatchEvent] {
        state.withLock { state in
            state.differ.faults.compactMap { guid, faults in state.connections[guid].map { ($0, faults) } }
                .sorted { $0.0.name < $1.0.name }
                .flatMap { connection, faults in faults.map { .failure(connection, $0) } }
        }
    }

    /// What is known of each bank that is asked, by connection's name.
    public func hearings() -> [Hearing] { state.withLock { $0.hearings.all } }

    /// Whether that is told too, as `WatchEvent.heard`: when a bank begins or ceases to answer, else every few seconds.
    public func tellHearings(_ isOn: Bool) { state.withLock { $0.hearings.isTold = isOn } }

    /// The connection as it was read last.
    public func connection(_ guid: ConnectionGUID) -> Connection? { state.withLock { $0.connections[guid] } }

    /// Reads the connections anew: which are to be asked, and what changed by that.
    public func reload() throws -> (active: [ConnectionGUID], events: [WatchEvent]) {
        // Asked for once for all: the log may be long.
        let unresolved = try? session.log.unresolvedConnections()
        return try state.withLock { state in
            // Read while nobody else does, so that an older name never takes the place of a newer one.
            let all = try session.connections.connections()
            let now = session.clock.now()
            let active = all.filter { session.providers.isPolled($0) && $0.isAsked(at: now) }
            state.unresolved = unresolved
            state.connections = Dictionary(all.map { ($0.guid, $0) }, uniquingKeysWith: { first, _ in first })
            state.hearings.follow(all.filter { session.providers.isPolled($0) || !$0.isKnownToBank })
            return (active.map(\.guid), state.differ.keep(only: all) + state.hearings.news(at: session.clock.moment()))
        }
    }

    /// Polls until its task is cancelled; then it returns. Throws only when the connections cannot be read; banks that fail
    /// are events. Connections that come, go or are renamed meanwhile are noticed.
    ///
    /// - Parameter emit: is told what one answer changed, never nothing; one call after the other for each connection.
    public func run(_ emit: @escaping @Sendable ([WatchEvent]) async -> Void) async throws {
        try await poller.run { [self] in
            let (active, events) = try reload()
            if !events.isEmpty { await emit(session.completing(events)) }
            return active
        } ask: { [self] guid in
            let (events, heard) = await ask(guid)
            if !events.isEmpty { await emit(events) }
            return heard
        }
    }

    /// Tells what is new at a connection that no poll asks: what links brought, and what became of it.
    public func look(at guid: ConnectionGUID) async -> [WatchEvent] { await ask(guid).events }

    private func ask(_ guid: ConnectionGUID) async -> (events: [WatchEvent], heard: Poller.Heard) {
        let inbox = Inbox(session)
        let (known, unresolved) = state.withLock { ($0.connections[guid], $0.unresolved) }
        guard let connection = known else { return ([], Poller.Heard()) }
        let start = session.clock.now()
        let isSettled = unresolved.map { !$0.contains(guid) } ?? false
        var answer = await inbox.ask(connection, isSettled: isSettled)
        guard !Task.isCancelled else { return ([], Poller.Heard()) }
        let (events, news) = state.withLock { state in
            // It may have got another name meanwhile.
            answer.connection = state.connections[guid] ?? answer.connection
            state.hearings.note(answer, askedAt: start)
            return (
                state.differ.take(answer, at: session.clock.now()), state.hearings.news(at: session.clock.moment())
            )
        }
        // Decided since it was looked, and lost: what is told of it below says what is known now.
        if isSettled, events.contains(where: \.isRemoval), case .success(let list) = answer.result {
            try? await inbox.settle(connection, by: list)
        }
        let alarms = ((try? answer.result.get())?.overturned ?? []).map {
            WatchEvent.failure(connection, OverturnedDenial(entry: $0))
        }
        let told = session.completing(events) + alarms + news
        switch answer.result {
        case .failure(let error): return (told, Poller.Heard(error: error))
        case .success(let list):
            let isEvent = events.contains { $0.isNews(besides: list.faulty) }
            return (told, Poller.Heard(isEvent: isEvent, at: list.receivedAt))
        }
    }
}
