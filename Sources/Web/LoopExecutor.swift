import NIOCore

/// Runs tasks on the thread that carries the calls to banks: a call then costs hardly any switch between threads. What blocks
/// must not run here, and what computes for long should not.
final class LoopExecutor: TaskExecutor {
    let loop: any EventLoop

    init(on loop: any EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        loop.execute { job.runSynchronously(on: executor) }
    }

    /// Waits on the same thread, where timers of tasks would go through two others. Throws when its task is cancelled before.
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
