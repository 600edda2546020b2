extension Session {
    /// Says of each item that left whether it was decided on this computer.
    public func completing(_ events: [WatchEvent]) -> [WatchEvent] {
        events.flatMap { event -> [WatchEvent] in
            guard case .removed(let item) = event else { return [event] }
            do {
                let entry = try log.entries().last { $0.shown.fingerprint == item.authorization.fingerprint }
                return (entry.map { [.decided(item, $0)] } ?? []) + [event]
            } catch {
                return [.failure(item.connection, error), event]
            }
        }
    }
}
