import Dispatch

/// Gives the core a queue of its own, so that a lock is never late, however busy everything else is.
final class CoreQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "agent")

    func enqueue(_ job: consuming ExecutorJob) {
        // The queue runs one job after the other, as an actor needs.
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
