import Foundation
@testable import LocalSocket
import Testing
@testable import Agent

/// A directory of its own for one test, open to nobody else; gone with the test.
final class SocketHome: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/agent-test-XXXXXX".utf8CString)
        // The template is ours, ends with a null byte, and mkdtemp writes within its length.
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func place() throws -> SocketPlace {
        try SocketPlace(home: path + "/home", isDefault: true, runtimeDirectory: path)
    }

    /// Makes a socket that listens at this path, without a lock and a mode of its own. The caller closes it.
    static func listener(at path: String, type: __socket_type = SOCK_STREAM, listens: Bool = true) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(type.rawValue), 0)
        try #require(descriptor >= 0)
        // The address lives through the call.
        try #require(UnixAddress.with(path, abstract: true) { bind(descriptor, $0, $1) } == 0)
        if listens { try #require(listen(descriptor, 8) == 0) }
        return descriptor
    }
}

func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
}
