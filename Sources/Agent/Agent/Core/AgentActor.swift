/// Isolates the agent's core and its wings together: each can read the others' state without suspending, so that a lock
/// reaches all of them in one step.
@globalActor
public actor AgentActor {
    public static let shared = AgentActor()
    private nonisolated let queue = CoreQueue()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
}
