internal import COpenSSL
internal import Synchronization

/// Contexts of one key, made ready for one kind of operation: as many as there were operations at once. Setting one up
/// costs a hundredth of a private-key operation, and a lock inside OpenSSL.
final class ContextPool: Sendable {
    /// Sendable because whoever took it from `idle` has it alone.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Those that no one is using.
    private let idle = Mutex<[Context]>([])

    deinit {
        idle.withLock { idle in
            for context in idle { EVP_PKEY_CTX_free(context.pointer) }
        }
    }

    /// Lends a context of `key`, always the same key, that `setUp` once made ready (throw if it cannot).
    func lend<R>(
        of key: OpaquePointer, setUp: (OpaquePointer) throws -> Void, _ body: (OpaquePointer) throws -> R
    ) throws -> R {
        let context: Context
        if let found = idle.withLock({ $0.popLast() }) {
            context = found
        } else {
            // Ours until `deinit`, or freed here. It keeps a reference to the key.
            guard let made = EVP_PKEY_CTX_new(key, nil) else { throw CryptoError.openSSL(.outOfMemory, "no memory") }
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
