extension Workspace {
    /// Adds a `decided` event before each `removed` one whose item was decided on this computer.
    package func completing(_ events: [WatchEvent]) -> [WatchEvent] {
        // Read once, and only if an item was removed, because the log may be long.
        lazy var entries = Result { try log.entries() }
        return events.flatMap { event -> [WatchEvent] in
            guard case .removed(let item) = event else { return [event] }
            do {
                let entry = try entries.get().last { $0.shown.fingerprint == item.authorization.fingerprint }
                return (entry.map { [.decided(item, $0)] } ?? []) + [event]
            } catch {
                return [.failure(item.connection, error), event]
            }
        }
    }
}
