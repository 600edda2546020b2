import Foundation

/// A connection as a browser makes one, in blocking calls.
final class BrowserSocket: Sendable {
    private let descriptor: Int32

    init(to host: String, _ port: Int) throws {
        let number = UInt16(port).bigEndian
        if host.contains(":") {
            descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = number
            try Self.require(inet_pton(AF_INET6, host, &address.sin6_addr) == 1)
            try Self.require(Self.connect(descriptor, address) == 0)
        } else {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = number
            try Self.require(inet_pton(AF_INET, host, &address.sin_addr) == 1)
            try Self.require(Self.connect(descriptor, address) == 0)
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        // Reads the array during the call.
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Empty when the other end has closed, and nil when it says nothing.
    func line(within seconds: Int) -> String? {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        // Reads the struct during the call.
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            // Writes one byte.
            let count = recv(descriptor, &byte, 1, 0)
            if count < 0, errno == EAGAIN { return nil }
            if count <= 0 || byte == 10 { return String(decoding: line, as: UTF8.self) }
            if byte != 13 { line.append(byte) }
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
        // The address lives through the call, and has the length that is given.
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func require(_ isDone: Bool) throws {
        if !isDone { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
