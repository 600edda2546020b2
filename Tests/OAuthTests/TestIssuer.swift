import Basics
import FoundationEssentials
import Glibc
import Testing
import Web

/// The strict issuer of Tests/Support/issuer.py, as a process of its own until this value goes.
final class TestIssuer: Sendable {
    let address: WebAddress
    private let pid: pid_t
    private let transport: Transport

    /// `options`: as the script takes them, `grace=30`.
    init(_ transport: Transport, _ options: [String] = []) async throws {
        self.transport = transport
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let arguments = ["/usr/bin/python3", root.appending(path: "Tests/Support/issuer.py").path] + options
        var ends: [Int32] = [0, 0]
        // Fills both descriptors.
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var pid = pid_t()
        // Copied by `strdup`, freed below; the list ends with nil.
        var argv = arguments.map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        let started = posix_spawn(&pid, arguments[0], &actions, nil, &argv, environ)
        close(ends[1])
        try #require(started == 0)
        self.pid = pid
        let line = try #require(readLine(from: ends[0]))
        close(ends[0])
        address = try WebAddress(line)
    }

    deinit {
        kill(pid, SIGKILL)
        var status: Int32 = 0
        waitpid(pid, &status, 0)
    }

    /// Drives it: `{"set": {…}}`, `{"fault": {…}}`.
    func control(_ order: String) async throws {
        let address = try WebAddress(address.origin + "/-/control")
        let answer = try await transport.send(
            Call(
                method: "POST", address: address, headers: [("Content-Type", "application/json")],
                body: Array(order.utf8)))
        try #require(answer.status == 200)
    }

    /// Where its page leads the browser for this page.
    func signIn(_ page: WebAddress) async throws -> String {
        let answer = try await transport.send(Call(method: "GET", address: page))
        return try #require(answer.location)
    }
}

private func readLine(from descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    // One byte into one byte.
    while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
}
