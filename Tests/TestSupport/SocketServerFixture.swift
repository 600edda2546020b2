import Foundation
package import LocalSocket
import Logging
import ServiceLifecycle

/// A running server at a socket of its own, to be shut down by the test.
package final class SocketServerFixture: Sendable {
    package let home: SocketHome
    package let socket: ListeningSocket
    package let path: String
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    package init(
        limits: LocalServer.Limits = .init(), admits: @escaping @Sendable (UInt32) -> Bool = LocalServer.ownUser,
        respond: @escaping LocalServer.Responder
    ) throws {
        home = try SocketHome()
        socket = try ListeningSocket.bind(at: home.place())
        path = socket.place.path
        let server = LocalServer(on: socket, limits: limits, admits: admits, respond: respond)
        let group = ServiceGroup(services: [server], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        self.group = group
        running = Task { try await group.run() }
    }

    /// Asks for a graceful shutdown, and does not wait for it.
    package func shutDown() async { await group.triggerGracefulShutdown() }

    /// Waits until the server has returned.
    package func end() async throws { try await running.value }

    package func client() throws -> LocalClient {
        guard let client = try LocalClient(connectingTo: path) else { throw SocketFailure(ECONNREFUSED) }
        return client
    }

    /// A client that was answered. The server sees the end of an answer when it sees it, and until then has no room where as many are
    /// connected as it takes: so it is tried until there is.
    package func answeredClient() async throws -> LocalClient {
        while true {
            let client = try client()
            if (try? await onThread { try client.send("GET", "/").status }) == 200 { return client }
        }
    }
}

/// Runs a blocking call on a thread of its own, as callers of the client do.
package func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}
