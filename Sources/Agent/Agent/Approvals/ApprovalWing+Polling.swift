import Approvals
import Basics
import Dialogue
import ApprovalModel

/// The results of polls, while open and while hidden.
extension ApprovalWing {
    /// How many events of one poll are sent in one go, before other work gets its turn.
    private nonisolated static let atOnce = 256

    /// The connections can no longer be read: locks.
    func failed(_ failure: Failure, _ generation: Int) {
        guard generation == core.generation else { return }
        dependencies.announcer.report("locked, as the connections cannot be read: \(failure.message)")
        core.shut()
    }

    /// Asks all banks often while somebody watches or an authorization waits.
    func attend() {
        let (polling, waits): (Polling, Bool)
        let isWatched = core.isWatched
        switch state {
        case .open(let open):
            (polling, waits) = (open.polling, !open.cards.isEmpty)
            open.watcher.tellContacts(isWatched)
        case .hidden(let hidden): (polling, waits) = (hidden.polling, hidden.waiting.values.contains { !$0.isEmpty })
        case .nothing: return
        }
        let attention: PollSchedule.Attention = isWatched ? .watched : waits ? .pending : .none
        Task { await polling.poller.setAttention(attention) }
    }

    // MARK: Open

    /// Makes the cards outside of the core, since there may be thousands, and sends them a few at a time.
    nonisolated func hear(_ events: [WatchEvent], _ generation: Int) async {
        await withTaskExecutorPreference(globalConcurrentExecutor) {
            let now = clock.now()
            for start in stride(from: 0, to: events.count, by: Self.atOnce) {
                let told = events[start..<min(start + Self.atOnce, events.count)].map {
                    ($0, Event(telling: $0, at: now))
                }
                await heard(told, of: events.count, generation)
            }
        }
    }

    private func heard(_ events: [(WatchEvent, Event)], of count: Int, _ generation: Int) {
        guard generation == core.generation, case .open(var open) = state else { return }
        let room = open.cards.count + count
        for (event, prepared) in events {
            open.seen.note(event)
            let told = inform(prepared, of: event, open)
            core.tell(told, more: room)
            take(event, told, into: &open)
            changeQuestion { $0.take(told, at: clock.now()) }
        }
        state = .open(open)
        attend()
    }

    private func take(_ event: WatchEvent, _ told: Event, into open: inout Open) {
        switch event {
        case .added(let item), .changed(let item), .renamed(let item):
            guard let card = told.card else { return }
            let key = ItemKey(item)
            open.cards[key] = card
            fatigue.arrived(card.request, at: clock.moment())
            open.waiting[item.connection.guid, default: []].insert(item.authorization.id)
            dependencies.announcer.announce(card, as: key.text)
        case .renaming(let item, _):
            open.formerReferences[ItemKey(item), default: []].insert(item.reference)
        case .removed(let item):
            open.forget(ItemKey(item))
            claimed[ItemKey(item)] = nil
            open.waiting[item.connection.guid]?.remove(item.authorization.id)
            dependencies.announcer.retract(ItemKey(item).text)
        case .failure(_, let error as OverturnedDenial):
            let shown = error.entry.shown
            dependencies.announcer.alarm(Reference.text(shown.connectionName, shown.id), Failure(error))
        case .failure(let connection, let error):
            if !(error is ItemFault) { open.failures[connection.guid] = (connection, error, clock.now()) }
        case .recovered(let connection): open.failures[connection.guid] = nil
        case .decided, .heard: break
        }
    }

    /// Puts the connection's present name into the event, which may be older than a renaming.
    private func inform(_ told: Event, of event: WatchEvent, _ open: Open) -> Event {
        switch event {
        case .added(var item), .changed(var item), .removed(var item), .renamed(var item):
            guard let connection = open.watcher.connection(item.connection.guid),
                connection.name != item.connection.name
            else { return told }
            item.connection = connection
            return told.with(Card(item.authorization, of: connection))
        case .renaming, .decided, .failure, .recovered, .heard: return told
        }
    }

    /// A connection was renamed or removed: sends events for its requests at once, under their new references or as
    /// removed.
    func connectionsChanged() async {
        guard case .open(let open) = state, let events = try? open.watcher.reload().events else { return }
        await hear(open.workspace.completing(events), core.generation)
    }

    /// The requests of a connection that is not polled changed: a link brought one, or one was decided or expired.
    func requestsChanged(at guid: ConnectionGUID) async {
        guard case .open(let open) = state else { return }
        let generation = core.generation
        await hear(await open.watcher.look(at: guid), generation)
    }

    // MARK: Hidden

    /// Asks the banks of these connections how many requests wait.
    func poll(_ connections: [ConnectionGUID: HiddenConnection]) -> Polling {
        let poller = Poller(pace: dependencies.pace, clock: clock, sleep: dependencies.sleep)
        let (providers, now, generation) = (dependencies.providers, clock.now, core.generation)
        let task = Task.detached(executorPreference: dependencies.executor) { [self] in
            _ = try? await poller.run {
                await self.hiddenConnections
            } ask: { guid in
                guard let connection = connections[guid] else { return .init() }
                do {
                    let answer = try await connection.ask(providers, at: now)
                    return .init(isEvent: await self.heard(answer, from: guid, generation), at: answer.receivedAt)
                } catch {
                    if (error as? BankError)?.kind == .connectionGone { await self.isGone(guid, generation) }
                    return .init(error: error)
                }
            }
        }
        return Polling(poller: poller, task: task)
    }

    private var hiddenConnections: [ConnectionGUID] {
        if case .hidden(let hidden) = state { hidden.connections } else { [] }
    }

    /// The bank no longer knows this connection. Nothing is written while hidden; the first poll after the PIN finds
    /// out again.
    private func isGone(_ guid: ConnectionGUID, _ generation: Int) {
        guard generation == core.generation, case .hidden(var hidden) = state else { return }
        hidden.connections.removeAll { $0 == guid }
        hidden.waiting[guid] = nil
        state = .hidden(hidden)
    }

    /// Notes the requests that wait at this connection now. Returns whether that is news: items that cannot be opened
    /// do not count (`WatchEvent.isNews`).
    private func heard(_ answer: HiddenConnection.Answer, from guid: ConnectionGUID, _ generation: Int) -> Bool {
        guard generation == core.generation, case .hidden(var hidden) = state else { return false }
        let changed = (hidden.waiting[guid] ?? []).symmetricDifference(answer.waiting)
        guard !changed.isEmpty else { return false }
        hidden.waiting[guid] = answer.waiting
        state = .hidden(hidden)
        attend()
        core.tell(.waiting(hidden.count))
        dependencies.announcer.hide(waiting: hidden.count)
        return !changed.isSubset(of: answer.faulty)
    }
}
