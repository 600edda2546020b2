import Basics
import Sessions

/// The events of sessions and requests for watchers. Names of sessions are sent only while sessions are at hand.
extension SessionWing {
    /// The part of a session that is compared to find changes: everything that can be shown, except values that change
    /// with time alone.
    struct SessionLook: Equatable {
        let name: SessionName
        private let shown: SessionPayload
        private let order: SignOutOrder?

        init(_ session: SignIn, in sessions: LocalSessions) throws {
            name = session.name
            order = session.signOut
            var shown = try sessions.payload(session)
            (shown.expiresAt, shown.signOutAt) = (nil, nil)
            self.shown = shown
        }
    }

    /// Sends an event for each session that changed since the last look; for all if they just came to hand.
    func tellChanges() {
        lastTold = clock.moment()
        retractSignIns()
        guard let now = looks() else { return looked = nil }
        let before = looked ?? [:]
        looked = now
        let names = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
            .flatMap { [before[$0]?.name, now[$0]?.name].compactMap(\.self) }
        for name in Set(names).sorted() { core.tell(.session(name), more: names.count) }
    }

    /// Sends events for changes by other processes, too, if it is time to look.
    func tellChanges(at moment: ContinuousClock.Instant) {
        guard core.isWatched(for: .sessions) || !wantedSignIns.isEmpty,
            lastTold.map({ $0 + Self.lookInterval <= moment }) ?? true
        else { return }
        tellChanges()
    }

    /// A watcher came or left. A new watcher's first events name all sessions.
    func startLooking() { if looked == nil || !core.isWatched(for: .sessions) { looked = looks() } }

    /// Nil while no watcher may get names. Returns the last look if the sessions cannot be read now.
    private func looks() -> [SessionID: SessionLook]? {
        guard core.isWatched(for: .sessions), case .atHand(let sessions, _) = held else { return nil }
        do {
            return Dictionary(
                try sessions.store.sessions().map { ($0.id, try SessionLook($0, in: sessions)) },
                uniquingKeysWith: { first, _ in first })
        } catch {
            return looked
        }
    }

    /// Each session, and each request that waits.
    func eventsOfWhatIsThere() -> [AgentEvent] {
        guard case .atHand(let sessions, _) = held else { return [] }
        let names = ((try? sessions.store.sessions()) ?? []).map(\.name)
        let kinds = names.map { SessionEvent.Kind.session($0) } + requests.all.map { .request(id: $0.id) }
        return kinds.map { .sessions(SessionEvent($0, at: clock.now())) }
    }

    /// The person did not answer these requests, and they no longer wait.
    func passed(_ requests: [String]) {
        unanswered.passed(requests)
        for id in requests { retract(id) }
    }

    /// A request no longer waits.
    func retract(_ id: String) {
        unanswered.forget(id)
        dependencies.retract(id)
        core.tell(.requestGone(id: id))
    }
}
