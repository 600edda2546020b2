// Swift's empty buffers may have no address, and OpenSSL takes a null address for an argument that was left out. These
// properties give a valid address in every case. It is valid only as long as the buffer.

extension UnsafeRawBufferPointer {
    var bytes: UnsafePointer<UInt8> {
        // Empty buffers lend an address that is never read, as the length that goes with it is 0.
        (baseAddress ?? UnsafeRawPointer(Self.nothing)).assumingMemoryBound(to: UInt8.self)
    }

    // Unsafe because of the pointer: one byte that is never written and never freed.
    private nonisolated(unsafe) static let nothing = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}

extension UnsafeMutableRawBufferPointer {
    var bytes: UnsafeMutablePointer<UInt8> {
        // As above; OpenSSL writes nothing where the length is 0.
        UnsafeMutablePointer(mutating: UnsafeRawBufferPointer(self).bytes)
    }
}
