@testable import Desktop
import Foundation
import Glibc
import TestSupport
import Testing

/// In network namespaces, which an ordinary user may make in a user namespace. A process enters one before it has threads, so these tests
/// run in a process of their own.
@Suite struct DesktopRouteTests {
    @Test(.enabled(if: !Namespace.mayBeMade), .timeLimit(.minutes(5))) func theyRunWhereNamespacesMayBeMade()
        async throws
    {
        let output = try await onThread { try Namespace.run(tests: "DesktopRouteNamespaceTests") }
        #expect(output.contains("Test run with 3 tests in 1 suite passed"), "\(output)")
    }
}

@Suite(.serialized, .enabled(if: Namespace.mayBeMade), .timeLimit(.minutes(3))) struct DesktopRouteNamespaceTests {
    @Test func onlyADefaultRouteTellsThatTheNetworkIsUp() async throws {
        let heard = await Namespace.run {
            guard let routes = RouteSocket() else { return [] as [String] }
            let commands = [
                "link set lo up", "route add 10.1.0.0/16 dev lo", "route add default dev lo", "route del default",
                "-6 route add fd00:1::/32 dev lo", "-6 route add default dev lo", "-6 route del default",
                "route add unreachable default",
            ]
            // The kernel has reported it before the command ends.
            return commands.filter { Namespace.ip($0) && routes.defaultCame() != false }
        }
        #expect(heard == ["route add default dev lo", "-6 route add default dev lo"])
    }

    @Test func aMissedMessageCountsAsANetwork() async throws {
        let heard = await Namespace.run {
            guard let routes = RouteSocket(), Namespace.ip("link set lo up") else { return nil as Bool? }
            // More messages than the socket can hold.
            let file = NSTemporaryDirectory() + UUID().uuidString
            defer { unlink(file) }
            let lines = (0..<65536).map { "route add 10.\($0 / 256).\($0 % 256).0/24 dev lo\n" }.joined()
            guard FileManager.default.createFile(atPath: file, contents: Data(lines.utf8)) else { return nil }
            return Namespace.ip("-batch \(file)") ? routes.defaultCame() : nil
        }
        #expect(heard == true)
    }

    @Test func theWatchTells() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: Void.self)
        var watch = await Namespace.run {
            guard let routes = RouteSocket() else { return nil as Watched? }
            let watched = Watched(RouteWatch(routes) { continuation.yield() })
            return Namespace.ip("link set lo up") && Namespace.ip("route add default dev lo") ? watched : nil
        }
        #expect(watch != nil)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next() != nil)
        watch = nil
    }
}

/// Passes a watch from one thread to another.
private final class Watched: @unchecked Sendable {
    // Unchecked: the watch is made on one thread and only dropped on another.
    private let watch: RouteWatch

    init(_ watch: RouteWatch) { self.watch = watch }
}

private enum Namespace {
    private static let variable = "COUNTERSIGN_TEST_NAMESPACES"
    /// Whether this process has the rights that making one takes.
    static let mayBeMade = ProcessInfo.processInfo.environment[variable] != nil

    /// Runs tests of this program in a user namespace of their own. Returns what they printed.
    static func run(tests: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "\(variable)=1", "unshare", "--user", "--map-current-user", "--keep-caps", CommandLine.arguments[0],
            "--testing-library", "swift-testing", "--filter", tests,
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        // Two threads that wait by a run loop at the same time wait for ever.
        while process.isRunning { usleep(1000) }
        return String(decoding: said, as: UTF8.self)
    }

    /// Runs `work` on a thread in a new network namespace.
    static func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                _ = enter()
                done.resume(returning: work())
            }
        }
    }

    /// Moves this thread, which is not used for anything else, into a new namespace.
    private static func enter() -> Bool {
        // unshare(2), which does not import.
        guard let unshare = dlsym(nil, "unshare") else { return false }
        typealias Function = @convention(c) (Int32) -> Int32
        let newNetwork: Int32 = 0x4000_0000
        return unsafeBitCast(unshare, to: Function.self)(newNetwork) == 0
    }

    /// Runs `ip` with these arguments in the namespace of this thread.
    static func ip(_ words: String) -> Bool {
        // Copies that live until posix_spawnp has returned, with the nil that ends the list.
        let list = (["ip"] + words.split(separator: " ").map(String.init)).map { strdup($0) } + [nil]
        defer { for word in list { free(word) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, "ip", nil, nil, list, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
