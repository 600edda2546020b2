import Dispatch

/// Runs blocking work (the keyring, scrypt, a pinentry) on a thread of its own, so that no other task waits for it.
/// Rethrows the errors of `body`.
package func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    // Task-local values do not reach a Dispatch thread by themselves.
    let areAllowed = KeyringWindows.areAllowed
    return try await withCheckedThrowingContinuation { continuation in
        // A queue of its own: the shared queues have only a few threads, and Swift's tasks run on these.
        DispatchQueue(label: "blocking").async {
            continuation.resume(with: Result { try KeyringWindows.$areAllowed.withValue(areAllowed, operation: body) })
        }
    }
}
