/// Isolates the core of an agent together with its wings: they see one another's state without waiting, so that a lock comes to
/// all of it at once.
@globalActor
public actor AgentActor {
    public static let shared = AgentActor()
    private nonisolated let queue = CoreQueue()
    public nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
}
