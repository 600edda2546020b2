import Approvals
import Basics
import Dialogue
import FoundationEssentials
import ApprovalModel
import AgentWire

/// The wing's part in each change of the lock.
extension ApprovalWing: Wing {
    var unlockWords: String? { Question.unlockWords }

    func used() {}

    func check(_ vault: AgentVault) throws { _ = try dependencies.workspace(vault).connections.connections() }

    func opened(_ vault: AgentVault) {
        letGo()
        var workspace = dependencies.workspace(vault)
        workspace.holdOpen = {
            let lease = vault.lease()
            try lease.begin()
            return { lease.end() }
        }
        let kept = enrollments.values
        Task { for steps in kept { await steps.resume(in: workspace) } }
        let watcher = Watcher(workspace, pace: dependencies.pace, sleep: dependencies.sleep)
        let generation = core.generation
        let task = Task.detached(executorPreference: dependencies.executor) { [self] in
            do {
                try await watcher.run { await self.hear($0, generation) }
            } catch {
                await failed(Failure(error), generation)
            }
        }
        state = .open(
            Open(
                workspace: workspace, vault: vault, watcher: watcher,
                polling: Polling(poller: watcher.poller, task: task)))
        attend()
        dependencies.announcer.unhide()
    }

    /// Keeps only the data for polling.
    func hide() {
        guard case .open(let open) = state else { return }
        // While the answer to a reconnect is awaited, the earlier key is in use.
        let all = ((try? open.workspace.connections.connections()) ?? []).map {
            $0.status == .unconfirmed ? $0.earlier ?? $0 : $0
        }
        let kept = all.filter { $0.status == .active && dependencies.providers.isPolled($0) }.compactMap { connection in
            (try? HiddenConnection(connection, dependencies.providers, open.vault)).map { (connection.guid, $0) }
        }
        let connections = Dictionary(kept, uniquingKeysWith: { first, _ in first })
        letGo()
        let hidden = Hidden(
            polling: poll(connections), connections: Array(connections.keys),
            waiting: open.waiting.filter { connections[$0.key] != nil })
        state = .hidden(hidden)
        claimed = [:]
        attend()
        core.tell(.waiting(hidden.count))
        dependencies.announcer.hide(waiting: hidden.count)
    }

    func unlockedAgain(_ vault: AgentVault) {}
    func screenLocked() {}

    func shut() {
        letGo()
        abandonEnrollments()
        claimed = [:]
        state = .nothing
        tellShut()
    }

    /// Says on the desktop that requests are missed while the agent is shut. Called again, it notices that connections came or went: other
    /// processes may connect banks or destroy the vault.
    func tellShut() {
        guard case .nothing = state else { return }
        lastCount = clock.moment()
        // Unreadable connections are reported by every command.
        let living = (try? dependencies.connectionCounts().living) ?? 0
        dependencies.announcer.shut(missesRequests: dependencies.notesWhenShut && living > 0)
    }

    /// Ends polling, closes the workspace and wipes the requests it has seen.
    private func letGo() {
        question = nil
        switch state {
        case .open(let open):
            open.polling.task.cancel()
            open.workspace.opened.close()
            open.seen.wipe()
            dependencies.providers.forget()
        case .hidden(let hidden): hidden.polling.task.cancel()
        case .nothing: break
        }
    }

    /// Drops expired requests, even if their bank does not answer.
    func tick() {
        if case .nothing = state, lastCount.map({ $0 + .seconds(10) <= clock.moment() }) ?? false { tellShut() }
        guard case .open(var open) = state else { return }
        let now = clock.now()
        let over = open.cards.filter { $0.value.isExpired(at: now) }.map(\.key)
        guard !over.isEmpty else { return }
        for key in over {
            open.forget(key)
            claimed[key] = nil
            open.waiting[key.connection]?.remove(key.id)
            dependencies.announcer.retract(key.text)
        }
        state = .open(open)
        attend()
        for guid in Set(over.map(\.connection))
        where open.watcher.connection(guid).map(dependencies.providers.isPolled) == false {
            Task { await requestsChanged(at: guid) }
        }
    }

    func wakeUp() async {
        switch state {
        case .open(let open): await open.polling.poller.wakeUp()
        case .hidden(let hidden): await hidden.polling.poller.wakeUp()
        case .nothing: break
        }
    }

    func watchersChanged() { attend() }

    func drain() { underWay.drain() }

    var firstEvents: [AgentEvent] { knownEvents.map { .approvals($0) } }

    private var knownEvents: [Event] {
        let now = clock.now()
        switch state {
        case .open(let open):
            return open.cards.values.sorted(by: Card.areInOrder).map { Event(.added($0), at: now) } + failures(of: open)
                + open.watcher.faults().map { Event(telling: $0, at: now) }
                + [Event(telling: .heard(open.watcher.contacts()), at: now)]
        case .hidden(let hidden): return [Event(.waiting(hidden.count), at: now)]
        case .nothing: return []
        }
    }

    /// Leaves out the failures of connections that were removed meanwhile.
    private func failures(of open: Open) -> [Event] {
        let known = (try? open.workspace.connections.connections().map(\.guid)).map(Set.init)
        return open.failures.filter { known?.contains($0.key) ?? true }.map { guid, failure in
            let connection = open.watcher.connection(guid) ?? failure.connection
            // This error names the connection, which may have been renamed since.
            let error =
                failure.error is LookupError
                ? LookupError.inactive(connection.name.text) : failure.error
            return Event(telling: .failure(connection, error), at: failure.since)
        }
    }
}
