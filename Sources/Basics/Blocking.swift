import Dispatch

/// Runs what blocks (the keyring, scrypt, a pinentry) on a thread of its own, so that nobody else waits for it.
package func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    // A thread knows nothing of the task that it works for.
    let areAllowed = KeyringWindows.areAllowed
    return try await withCheckedThrowingContinuation { continuation in
        // Not a shared queue: its few threads are those that tasks run on.
        DispatchQueue(label: "blocking").async {
            continuation.resume(with: Result { try KeyringWindows.$areAllowed.withValue(areAllowed, operation: body) })
        }
    }
}
