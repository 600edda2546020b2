internal import COpenSSL
internal import Synchronization

/// A pool of OpenSSL contexts for one key and one kind of operation. Contexts are used again because setting one up
/// costs a hundredth of a private-key operation, and a lock inside OpenSSL. The pool grows to the number of operations
/// that ran at once.
final class ContextPool: Sendable {
    /// Unchecked because of the pointer. A context stands in `idle` or is used by the one caller that took it from
    /// there, never by two threads.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// The contexts that are not in use.
    private let idle = Mutex<[Context]>([])

    deinit {
        idle.withLock { idle in
            for context in idle { EVP_PKEY_CTX_free(context.pointer) }
        }
    }

    /// Lends a context of `key`, which must be the same key in each call. `setUp` prepares a new context, and throws if
    /// it cannot.
    func lend<R>(
        of key: OpaquePointer, setUp: (OpaquePointer) throws -> Void, _ body: (OpaquePointer) throws -> R
    ) throws -> R {
        let context: Context
        if let found = idle.withLock({ $0.popLast() }) {
            context = found
        } else {
            // Ours until `deinit`, or freed here. It keeps a reference to the key.
            guard let made = EVP_PKEY_CTX_new(key, nil) else { throw CryptoError.openSSL(.outOfMemory("no memory")) }
            do { try setUp(made) } catch {
                EVP_PKEY_CTX_free(made)
                throw error
            }
            context = Context(pointer: made)
        }
        defer { idle.withLock { $0.append(context) } }
        return try body(context.pointer)
    }
}
