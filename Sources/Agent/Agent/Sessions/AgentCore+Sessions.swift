import Basics
import AgentWire

extension AgentCore {
    /// Sends an event with the present time to every watcher of sessions.
    ///
    /// - Parameter more: how many events beyond the usual limit may wait for one watcher.
    func tell(_ kind: SessionEvent.Kind, more: Int = 0) {
        tell(.sessions(SessionEvent(kind, at: dependencies.clock.now())), more: more)
    }
}
