// Swift's empty buffers may have no address, while OpenSSL takes an absent address for an absent argument; these lend a
// valid address in every case. They are good only as long as the buffer is.

extension UnsafeRawBufferPointer {
    var bytes: UnsafePointer<UInt8> {
        // Empty buffers lend an address that is never read, as the length that goes with it is 0.
        (baseAddress ?? UnsafeRawPointer(Self.nothing)).assumingMemoryBound(to: UInt8.self)
    }

    // One byte, never freed, never written.
    private nonisolated(unsafe) static let nothing = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
}

extension UnsafeMutableRawBufferPointer {
    var bytes: UnsafeMutablePointer<UInt8> {
        // As above; OpenSSL writes nothing where the length is 0.
        UnsafeMutablePointer(mutating: UnsafeRawBufferPointer(self).bytes)
    }
}
