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
}
