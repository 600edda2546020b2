import NIOCore

/// Runs tasks on the thread that makes the calls to banks, so that a call hardly ever switches threads. Blocking work
/// must not run here, and long computations should not.
final class LoopExecutor: TaskExecutor {
    let loop: any EventLoop

    init(on loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        loop.execute { job.runSynchronously(on: executor) }
    }

    /// Waits on the same thread; `Task.sleep` would use two others. Throws when its task is cancelled.
    @Sendable func sleep(until moment: ContinuousClock.Instant) async throws {
        let nanoseconds = (moment - .now) / .nanoseconds(1)
        let timer = loop.scheduleTask(in: .nanoseconds(Int64(max(nanoseconds, 0)))) {}
        try await withTaskCancellationHandler {
            try await timer.futureResult.get()
        } onCancel: {
            timer.cancel()
        }
    }
}
