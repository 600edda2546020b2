@testable import Desktop
import Foundation
import Glibc
import Testing

@Suite(.serialized, .timeLimit(.minutes(3))) struct DesktopRouteTests {
    @Test(.enabled(if: Namespace.canBeMade, "no network namespace can be made here"))
    func onlyADefaultRouteTellsThatTheNetworkIsUp() async throws {
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

    @Test(.enabled(if: Namespace.canBeMade, "no network namespace can be made here"))
    func aMissedMessageCountsAsANetwork() async throws {
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

    @Test(.enabled(if: Namespace.canBeMade, "no network namespace can be made here"))
    func theWatchTells() async throws {
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

/// A network namespace of its own. Making one needs root.
private enum Namespace {
    static let canBeMade: Bool = {
        let thread = OwnThread { enter() && ip("link show") }
        return thread.result()
    }()

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

private final class OwnThread: @unchecked Sendable {
    // Unchecked: the value is written before the semaphore is signalled and read after.
    private var value = false
    private let ended = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [self] in
            value = work()
            ended.signal()
        }
    }

    func result() -> Bool {
        ended.wait()
        return value
    }
}
