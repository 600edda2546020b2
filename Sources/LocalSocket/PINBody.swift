internal import CPlatform
public import Hummingbird
internal import NIOCore
public import SCACrypto

/// Takes a PIN, or another secret, out of a request whose whole body it is.
public enum PINBody {
    /// Bytes. The longest passphrase is far shorter.
    public static let limit = 1024

    /// The body in locked memory, nil when it is empty. What was received is overwritten in place, piece by piece, also
    /// when this throws: an `HTTPError` with status 413 when there is more than `limit`, and with 400 when the body cannot be
    /// read to its end; `CryptoError` when no memory can be locked.
    public static func read(_ request: Request) async throws -> LockedBytes? {
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

    /// Hides the parser's own error from the caller.
    private static func next(_ pieces: inout RequestBody.AsyncIterator) async throws -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch {
            throw HTTPError(.badRequest)
        }
    }

    private static func join(_ first: LockedBytes?, _ piece: ByteBuffer) throws -> LockedBytes {
        // The piece's memory for the length of the call.
        try piece.withUnsafeReadableBytes { bytes in
            if let first { try LockedBytes(first, bytes) } else { try LockedBytes(copying: bytes) }
        }
    }

    /// Overwrites the bytes where they were received. A buffer's own way of writing makes a copy first when its memory is
    /// shared, as it is here with what was read from the socket, and would leave the original alone.
    private static func wipe(_ piece: ByteBuffer) {
        piece.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            // Memory from malloc, kept by the buffer through the call. These bytes of it were handed out as this piece of the
            // body and to nobody else, so nobody reads them at the same time; what is beside them is not touched.
            countersign_wipe(UnsafeMutableRawPointer(mutating: start), bytes.count)
        }
    }
}
