extension Session {
    /// Says of each item that left whether it was decided on this computer.
    public func completing(_ events: [WatchEvent]) -> [WatchEvent] {
        // The log may be long: it is read once, and only where something left.
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
