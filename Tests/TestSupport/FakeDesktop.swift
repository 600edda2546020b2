package import Desktop
import Foundation
import Synchronization

/// The program Tests/Support/fake-desktop with two buses of its own. It receives commands line by line.
package final class FakeDesktop: Sendable {
    package struct Refused: Error { package var answer: String }

    private static let program = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Support/fake-desktop").path
    package let session: BusAddress
    package let system: BusAddress
    private let folder: URL
    private let process: pid_t
    private let line: Int32
    private let turn = Mutex<Void>(())

    package init(_ options: String...) throws {
        folder = URL(filePath: "/tmp/fake-desktop-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appending(path: "log").path
        let arguments = ["--private-buses", folder.path, "--log", log] + options
        (process, line) = try Self.spawn([Self.program] + arguments)
        let words = Self.readLine(line).split(separator: " ")
        guard words.count == 3, words[0] == "ready" else { throw Refused(answer: "not ready") }
        session = .address(String(words[1]))
        system = .address(String(words[2]))
    }

    deinit {
        // Its buses end with it.
        Self.write("quit\n", to: line)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        close(line)
        try? FileManager.default.removeItem(at: folder)
    }

    /// Both buses, with an immediate retry when they are gone.
    package func bus() -> DesktopBus { DesktopBus(session: session, system: system, retryAfter: .milliseconds(100)) }

    /// Sends a command, and returns when it is done: its signals have been passed to the bus.
    package func tell(_ command: String) throws {
        let answer = turn.withLock { _ in
            Self.write(command + "\n", to: line)
            return Self.readLine(line)
        }
        guard answer == "ok" else { throw Refused(answer: answer) }
    }

    package struct Call: Decodable, Equatable {
        package struct Hints: Decodable, Equatable {
            package var urgency: UInt8?
            package var resident: Bool?
            package var transient: Bool?
            package var suppressSound: Bool?
            package var desktopEntry: String?

            package enum CodingKeys: String, CodingKey {
                case urgency, resident, transient
                case suppressSound = "suppress-sound"
                case desktopEntry = "desktop-entry"
            }

            package init(urgency: UInt8?, resident: Bool?, transient: Bool?, desktopEntry: String?) {
                self.urgency = urgency
                self.resident = resident
                self.transient = transient
                self.desktopEntry = desktopEntry
            }
        }
        package var call: String
        package var id: UInt32?
        package var app: String?
        package var replaces: UInt32?
        package var summary: String?
        package var body: String?
        package var actions: [String]?
        package var hints: Hints?
        package var timeout: Int32?
        package var what: String?
        package var mode: String?

        package enum CodingKeys: String, CodingKey {
            case call, id, app, summary, body, actions, hints, timeout, what, mode
            case replaces = "replaces_id"
        }
    }

    /// The calls that it has received so far.
    package func calls(_ name: String) throws -> [Call] {
        let text = (try? String(contentsOf: folder.appending(path: "log"), encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.map { try JSONDecoder().decode(Call.self, from: Data($0.utf8)) }.filter { $0.call == name }
    }

    /// Waits until there are this many calls of a name, and returns them.
    package func calls(_ name: String, _ count: Int) async throws -> [Call] {
        while true {
            let calls = try calls(name)
            if calls.count >= count { return calls }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Starts it with one end of a socket as its input and output, with no other descriptor of ours and no blocked
    /// signal.
    private static func spawn(_ command: [String]) throws -> (pid_t, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Refused(answer: "no socket")
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        // A descriptor that is not open is ignored. A child that inherited one end of another test's socket would keep
        // it open.
        for descriptor in Int32(3)..<4096 { posix_spawn_file_actions_addclose(&actions, descriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Copies that live until posix_spawn has returned, with the nil that ends the list.
        let words = command.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, command[0], &actions, &attributes, words, environ)
        guard code == 0 else {
            close(ends[0])
            throw Refused(answer: "not started: \(code)")
        }
        return (pid, ends[0])
    }

    private static func write(_ text: String, to line: Int32) {
        _ = text.withCString { send(line, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    private static func readLine(_ line: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(line, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
