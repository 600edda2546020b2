import Basics
import Glibc
import Keys
import Synchronization

/// The state lock: one holder at a time, among all processes and all threads of a process. It covers one change of
/// state, and is never held while prompting, talking to a bank or waiting for a browser.
package struct StateLock: Sendable {
    private let directory: StateDirectory
    private let path: String
    private let patience: Duration

    /// `patience`: how long `hold` waits for another holder.
    package init(_ directory: StateDirectory, patience: Duration = .seconds(10)) {
        self.init(directory, file: directory.lockFile, patience: patience)
    }

    /// Another lock beside the state lock, with a file of its own.
    init(_ directory: StateDirectory, file: String, patience: Duration) {
        self.directory = directory
        path = file
        self.patience = patience
    }

    /// Runs `body` while holding the lock; creates the state directory when it is missing. In a thread that already
    /// holds the lock it just runs `body`. Throws `StoreError` `busy`, which names the holder's pid, when the wait was
    /// too long.
    package func hold<R>(_ body: () throws -> R) throws -> R {
        if isHeldByThisThread { return try body() }
        try directory.make()
        while true {
            let file = try LockFile(path)
            try wait(for: file)
            guard try file.isInPlace() else { continue }
            // pthread_self cannot fail. The id is valid while this thread runs, and `body` runs on no other.
            Self.holders.withLock { $0[path] = pthread_self() }
            defer { Self.holders.withLock { $0[path] = nil } }
            try file.writePID()
            return try body()
        }
    }

    /// As `hold`, for a body that only reads. Where the home cannot be written, nobody else changes anything either, so
    /// `body` then runs without the lock.
    func holdForReading<R>(_ body: () throws -> R) throws -> R {
        do { return try hold { Result(catching: body) }.get() } catch StoreError.unusable where directory.fault() != nil
        {
            return try body()
        }
    }

    private func wait(for file: LockFile) throws {
        let deadline = ContinuousClock.now + patience
        while try !file.lock() {
            guard ContinuousClock.now < deadline else {
                let holder = file.pid().map { "process \($0)" } ?? "another process"
                throw StoreError.busy("\(holder) holds the lock \(path)")
            }
            usleep(5_000)
        }
    }

    /// The thread of this process that holds the lock at each path. A home has one path.
    private static let holders = Mutex<[String: pthread_t]>([:])

    private var isHeldByThisThread: Bool { Self.holders.withLock { $0[path] } == pthread_self() }
}
