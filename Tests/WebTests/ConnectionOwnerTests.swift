import Foundation
import NIOCore
import Testing

@testable import Web

/// Lines as the kernel of a little-endian computer writes them.
@Suite struct ConnectionOwnerTests {
    private static let client = "0100007F:D431"
    private static let server = "0100007F:1F90"
    private static let mapped = "0000000000000000FFFF0000"

    private static func line(_ client: String, _ server: String, user: UInt32, node: Int) -> String {
        "   4: \(client) \(server) 01 00000000:00000000 00:00000000 00000000 \(user)        0 \(node) 1 0000000000000000 20 4 30 10 -1"
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Nil for a table that is not there.
        var tcp: [String]?
        var tcp6: [String]? = []
        var isElsewhere = false
        var isOurs: Bool
    }

    @Test(arguments: [
        Row(testDescription: "own", tcp: [line(client, server, user: 1000, node: 7)], isOurs: true),
        Row(testDescription: "root", tcp: [line(client, server, user: 0, node: 7)], isOurs: true),
        Row(testDescription: "another user", tcp: [line(client, server, user: 1001, node: 7)], isOurs: false),
        Row(
            testDescription: "nobody, or no user of this namespace",
            tcp: [line(client, server, user: 65534, node: 7)], isOurs: false),
        Row(
            testDescription: "another user, where the other end may be elsewhere",
            tcp: [line(client, server, user: 1001, node: 7)], isElsewhere: true, isOurs: false),
        Row(
            testDescription: "one that let go of its socket", tcp: [line(client, server, user: 0, node: 0)],
            isOurs: false),
        Row(
            testDescription: "by a socket for IPv6",
            tcp: [], tcp6: [line(mapped + client, mapped + server, user: 1000, node: 7)], isOurs: true),
        Row(
            testDescription: "another user by a socket for IPv6",
            tcp: [], tcp6: [line(mapped + client, mapped + server, user: 1001, node: 7)], isOurs: false),
        Row(
            testDescription: "only our own end, and other ports",
            tcp: [
                line(server, client, user: 1000, node: 7), line("0100007F:D432", server, user: 1000, node: 8),
                line(client, "0100007F:1F91", user: 1000, node: 9), line("0200007F:D431", server, user: 1000, node: 9),
            ], isOurs: false),
        Row(
            testDescription: "behind many others",
            tcp: (0..<2000).map { line(client, "0100007F:\(4096 + $0)", user: 1001, node: 7) }
                + [line(client, server, user: 1000, node: 7)], isOurs: true),
        Row(testDescription: "not there", tcp: [], isOurs: false),
        Row(testDescription: "not there, where it may be elsewhere", tcp: [], isElsewhere: true, isOurs: true),
        Row(testDescription: "no table for IPv6", tcp: [], tcp6: nil, isOurs: false),
        Row(testDescription: "no tables", tcp: nil, tcp6: nil, isOurs: true),
    ])
    func whose(_ row: Row) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, lines) in [("tcp", row.tcp), ("tcp6", row.tcp6)] {
            guard let lines else { continue }
            let text = (["  sl  local_address rem_address   st"] + lines).map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        let owner = ConnectionOwner(root: folder.path, user: 1000, mayBeElsewhere: row.isElsewhere)
        let (client, server) = try (
            SocketAddress(ipAddress: "127.0.0.1", port: 0xD431), SocketAddress(ipAddress: "127.0.0.1", port: 0x1F90)
        )
        #expect(owner.isOurs(client: client, server: server) == row.isOurs)
    }

    @Test func anAddressOfIPv6IsWrittenInNumbers() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = "00000000000000000000000001000000"
        let line = Self.line("\(own):D431", "\(own):1F90", user: 1000, node: 7)
        try Data("head\n\(line)\n".utf8).write(to: folder.appending(path: "tcp6"))
        let (client, server) = try (
            SocketAddress(ipAddress: "::1", port: 0xD431), SocketAddress(ipAddress: "::1", port: 0x1F90)
        )
        #expect(
            ConnectionOwner(root: folder.path, user: 1000, mayBeElsewhere: false).isOurs(client: client, server: server)
        )
        #expect(
            !ConnectionOwner(root: folder.path, user: 1001, mayBeElsewhere: false).isOurs(
                client: client, server: server))
    }
}
