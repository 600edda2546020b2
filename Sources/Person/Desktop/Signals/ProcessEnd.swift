internal import CPlatform

/// Reports the end of another process, of any user, as long as this value is kept.
struct ProcessEnd {
    private let watch: BusThread.EventSource

    /// Calls `ended` once on the D-Bus thread, also for a process that has ended already and is not yet reaped. Nil
    /// when there is no such process, or the kernel does not let us watch it.
    init?(of process: Int32, on thread: BusThread, _ ended: @escaping @Sendable () -> Void) {
        guard process > 0 else { return nil }
        let descriptor = countersign_open_process(process)
        guard descriptor >= 0 else { return nil }
        watch = thread.whenReadable(OwnedDescriptor(owning: descriptor), ended)
    }
}
