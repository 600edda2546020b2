package import Foundation
package import LocalSocket

/// A directory of its own for one test, open to nobody else; gone with the test.
package final class SocketHome: Sendable {
    package let path: String

    package init() throws {
        var template = Array("/tmp/agent-test-XXXXXX".utf8CString)
        // The template is ours, ends with a null byte, and mkdtemp writes within its length.
        guard mkdtemp(&template) != nil else { throw SocketFailure(errno) }
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    package func place() throws -> SocketPlace {
        try SocketPlace(home: path + "/home", isDefault: true, runtimeDirectory: path)
    }

    /// Makes a socket that listens at this path, without a lock and a mode of its own. The caller closes it.
    package static func listener(at path: String, type: __socket_type = SOCK_STREAM, listens: Bool = true) throws
        -> Int32
    {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
        guard descriptor >= 0 else { throw SocketFailure(errno) }
        // The address lives through the call.
        guard UnixAddress.with(path, abstract: true, { bind(descriptor, $0, $1) }) == 0,
            !listens || listen(descriptor, 8) == 0
        else {
            defer { close(descriptor) }
            throw SocketFailure(errno)
        }
        return descriptor
    }
}

/// A call of the system that failed, by its error number.
package struct SocketFailure: Error {
    package var number: Int32

    init(_ number: Int32) { self.number = number }
}
