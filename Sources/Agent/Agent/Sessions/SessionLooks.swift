import SessionModel
import Sessions

/// The part of a session that is compared to find changes: everything that can be shown, except values that change with time alone.
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

/// The sessions as watchers know them.
struct SessionLooks<Look: Equatable> {
    /// How often the agent looks for changes by other processes.
    static var interval: Duration { .seconds(15) }

    /// Nil while no watcher wants them.
    private(set) var known: [SessionID: Look]?
    private var last: ContinuousClock.Instant?

    /// Whether it is time to look again.
    func isTime(at moment: ContinuousClock.Instant) -> Bool { last.map { $0 + Self.interval <= moment } ?? true }

    /// Looks, at this moment. Returns the names of the sessions that came, went or changed since the last look; all of them if they just
    /// came to hand. `now`: nil while no watcher may get names.
    mutating func changes(
        to now: [SessionID: Look]?, at moment: ContinuousClock.Instant, name: (Look) -> SessionName
    ) -> [SessionName] {
        last = moment
        let before = known ?? [:]
        known = now
        guard let now else { return [] }
        let changed = Set(before.keys).union(now.keys).filter { before[$0] != now[$0] }
        return Set(changed.flatMap { [before[$0], now[$0]].compactMap { $0.map(name) } }).sorted()
    }

    /// A watcher's first events name these sessions.
    mutating func begin(with now: [SessionID: Look]?) { known = now }

    mutating func forget() { known = nil }
}
