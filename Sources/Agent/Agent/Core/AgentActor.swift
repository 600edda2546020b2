/// Isolates the agent's core and its wings together: each can read the others' state without suspending, so that a lock
/// reaches all of them in one step.
@globalActor
package actor AgentActor {
    package static let shared = AgentActor()
    private nonisolated let queue = CoreQueue()
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
}
