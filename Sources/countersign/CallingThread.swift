import Dispatch
import Synchronization

/// Runs tasks on the thread that waits for their end. A command that makes one call needs no other threads, and
/// starting them would take longer than the call.
final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {}

    /// Runs `body`, which ends the process. Tasks that it starts without an executor preference run elsewhere.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        let thread = CallingThread()
        Task(executorPreference: thread) { await body() }
        while true {
            thread.count.wait()
            // There is one job for each signal, and only this thread takes jobs.
            let job = thread.jobs.withLock { $0.removeFirst() }
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        count.signal()
    }
}
