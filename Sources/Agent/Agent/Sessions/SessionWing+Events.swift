import Basics
import SessionModel
import AgentWire

/// The events of sessions and requests for watchers. Names of sessions are sent only while sessions are at hand.
extension SessionWing {
    /// Sends an event for each session that changed since the last look; for all if they just came to hand.
    func tellChanges() {
        retractSignIns()
        let names = looks.changes(to: look(), at: clock.moment(), name: \.name)
        for name in names { core.tell(.session(name), more: names.count) }
    }

    /// Sends events for changes by other processes, too, if it is time to look.
    func tellChanges(at moment: ContinuousClock.Instant) {
        guard core.isWatched(for: .sessions) || reminders.isAnyWanted, looks.isTime(at: moment) else { return }
        tellChanges()
    }

    /// A watcher came or left. A new watcher's first events name all sessions.
    func startLooking() { if looks.known == nil || !core.isWatched(for: .sessions) { looks.begin(with: look()) } }

    /// Nil while no watcher may get names. Returns the last look if the sessions cannot be read now.
    private func look() -> [SessionID: SessionLook]? {
        guard core.isWatched(for: .sessions), let sessions = held.atHand else { return nil }
        do {
            return Dictionary(
                try sessions.store.sessions().map { ($0.id, try SessionLook($0, in: sessions)) },
                uniquingKeysWith: { first, _ in first })
        } catch {
            return looks.known
        }
    }

    /// Each session, and each request that waits.
    func eventsOfWhatIsThere() -> [AgentEvent] {
        guard let sessions = held.atHand else { return [] }
        let names = ((try? sessions.store.sessions()) ?? []).map(\.name)
        let kinds = names.map { SessionEvent.Kind.session($0) } + requests.all.map { .request(id: $0.id) }
        return kinds.map { .sessions(SessionEvent($0, at: clock.now())) }
    }

    /// Passes changes of requests to watchers and to the desktop.
    func apply(_ changes: [ProgramRequests.Change]) {
        for change in changes {
            switch change {
            case .came(let id): core.tell(.request(id: id))
            case .announced(let request): dependencies.announcer.announce(request)
            case .gone(let id):
                dependencies.announcer.retract(request: id)
                core.tell(.requestGone(id: id))
            }
        }
    }
}
