import Dispatch

/// A thread of its own for the core, so that a lock comes in time however busy everything else is.
final class CoreQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "agent")

    func enqueue(_ job: consuming ExecutorJob) {
        // The queue runs one job after the other, as an actor needs it.
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
