import Approvals

extension AgentCore {
    /// Sends an event to every watcher.
    ///
    /// - Parameter more: how many events beyond the usual limit may wait for one watcher.
    func tell(_ event: Event, more: Int = 0) { tell(.approvals(event), more: more) }

    /// Sends an event with the present time to every watcher.
    func tell(_ kind: Event.Kind) { tell(Event(kind, at: dependencies.clock.now())) }
}
