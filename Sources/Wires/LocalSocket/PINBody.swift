internal import CPlatform
package import Hummingbird
internal import NIOCore
package import Cryptography

/// Reads a PIN, or another secret, that is the whole body of a request.
package enum PINBody {
    /// In bytes. The longest passphrase is far shorter.
    package static let limit = 1024

    /// The body in locked memory; nil when it is empty. Overwrites the received bytes in place, piece by piece, also
    /// when it throws: an `HTTPError` with status 413 for more than `limit` bytes and with 400 for a body that cannot
    /// be read to its end; `CryptoError` when no memory can be locked.
    package static func read(_ request: Request) async throws -> LockedBytes? {
        var secret: LockedBytes?
        var isTooLong = false
        var failure: (any Error)?
        var pieces = request.body.makeAsyncIterator()
        while let piece = try await next(&pieces) {
            defer { wipe(piece) }
            guard !isTooLong, failure == nil, piece.readableBytes > 0 else { continue }
            guard (secret?.count ?? 0) + piece.readableBytes <= limit else {
                (isTooLong, secret) = (true, nil)
                continue
            }
            do {
                secret = try join(secret, piece)
            } catch {
                (failure, secret) = (error, nil)
            }
        }
        if let failure { throw failure }
        guard !isTooLong else { throw HTTPError(.contentTooLarge) }
        return secret
    }

    /// Replaces the parser's own error, which the caller need not see.
    private static func next(_ pieces: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch {
            throw HTTPError(.badRequest)
        }
    }

    private static func join(_ first: LockedBytes?, _ piece: ByteBuffer) throws -> LockedBytes {
        // Borrows the piece's memory for the length of the call.
        try piece.withUnsafeReadableBytes { bytes in
            if let first { try LockedBytes(first, bytes) } else { try LockedBytes(copying: bytes) }
        }
    }

    /// Overwrites the bytes where they were received. A buffer's own methods copy shared memory before they write, and
    /// this memory is shared with the socket's buffer: they would leave the original alone.
    private static func wipe(_ piece: ByteBuffer) {
        piece.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            // Memory from malloc, which the buffer keeps through the call. Only this piece of the body has these bytes, so
            // no other code reads them at the same time; the bytes beside them are not touched.
            countersign_wipe(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
