internal import CPlatform

/// Tells when another process ends, of whichever user, for as long as it is kept.
struct ProcessEnd {
    private let watch: BusThread.Timer

    /// Calls `ended` on the D-Bus thread, once; at once where the process has ended and is not gone yet. Nil where there is no such
    /// process, or the kernel does not let it be watched.
    init?(of process: Int32, on thread: BusThread, _ ended: @escaping @Sendable () -> Void) {
        guard process > 0 else { return nil }
        let descriptor = countersign_open_process(process)
        guard descriptor >= 0 else { return nil }
        watch = thread.whenReadable(OwnedDescriptor(owning: descriptor), ended)
    }
}
