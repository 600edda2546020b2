import Foundation
@testable import LocalSocket
import Logging
import ServiceLifecycle
import Testing
@testable import Agent

/// A running server at a socket of its own, to be shut down by the test.
final class SocketServerHouse: Sendable {
    let home: SocketHome
    let socket: ListeningSocket
    let path: String
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    init(
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
    func shutDown() async { await group.triggerGracefulShutdown() }

    /// Waits until the server has returned.
    func end() async throws { try await running.value }

    func client() throws -> LocalClient { try #require(try LocalClient(connectingTo: path)) }
}

/// Runs a blocking call on a thread of its own, as callers of the client do.
func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Result { try body() }) }.start()
    }
}

/// A door that opens once, for all who wait at it and all who come later.
final class Door: Sendable {
    private let (entries, open) = AsyncStream.makeStream(of: Never.self)

    func unlock() { open.finish() }
    func passes() async { for await _ in entries {} }
}
