internal import Basics
internal import Glibc
package import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOPosix
import ServiceLifecycle

/// Serves HTTP/1.1 on the agent's socket, to this user's processes alone. Knows nothing of the routes.
///
/// `run` returns after a graceful shutdown, when every request in progress was answered or the time for that is over.
/// Cancelling its task ends all requests at once. It throws when the socket cannot be served.
package struct LocalServer: Service {
    /// Answers one request. An error becomes an answer without a body: the status of an `HTTPError`, else 500.
    package typealias Responder = @Sendable (Request, Caller) async throws -> Response

    package struct Limits: Sendable {
        /// The most connections at a time. One more closes the connection that was idle longest; when all are busy, it is
        /// refused itself.
        package var connections: Int
        /// The most connections of one process at a time. One more closes that process's connection that was idle longest;
        /// when all of them are busy, it is refused.
        package var connectionsOfProcess: Int
        /// How many connections are left to our own program, so that a person can still see and end the connections of
        /// others.
        package var reserved: Int
        /// How long a connection's first request may take, up to the end of its head.
        package var silence: Duration
        /// The longest silence between two parts of a request, and between two requests of a connection whose end no code
        /// waits for (`Presence`). A connection that is silent for longer is closed, at the latest after twice that time.
        package var idleness: Duration
        /// How long requests in progress may take after a shutdown was asked for; then their tasks are cancelled.
        package var drain: Duration

        package init(
            connections: Int = 128, connectionsOfProcess: Int = 16, reserved: Int = 16,
            silence: Duration = .seconds(10),
            idleness: Duration = .seconds(60), drain: Duration = .seconds(30)
        ) {
            self.connections = connections
            self.connectionsOfProcess = connectionsOfProcess
            self.reserved = reserved
            self.silence = silence
            self.idleness = idleness
            self.drain = drain
        }
    }

    /// Whether a uid is that of this process.
    package static let ownUser: @Sendable (UInt32) -> Bool = { $0 == geteuid() }

    private let socket: ListeningSocket
    private let limits: Limits
    private let admits: @Sendable (UInt32) -> Bool
    private let crowded: @Sendable () -> Response
    private let respond: Responder

    /// - Parameters:
    ///   - admits: whether processes of this uid are served. A connection of another is closed before anything is read
    ///     from it. Root is refused like everybody else.
    ///   - crowded: the answer to a connection that is one too many, which is closed after it.
    package init(
        on socket: ListeningSocket, limits: Limits = Limits(),
        admits: @escaping @Sendable (UInt32) -> Bool = LocalServer.ownUser,
        crowded: @escaping @Sendable () -> Response = { Response(status: .serviceUnavailable) },
        respond: @escaping Responder
    ) {
        self.socket = socket
        self.limits = limits
        self.admits = admits
        self.crowded = crowded
        self.respond = respond
    }

    package func run() async throws {
        guard let descriptor = socket.takeDescriptor() else {
            throw SocketError.unusable("the socket is served already")
        }
        let connections = LocalConnections(limits)
        // The descriptor belongs to the channel from here on, which closes it.
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            // A head fits into one read. So no head is put together from copies, one of which could hold part of a PIN.
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 * 1024))
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause())
                }
            }
            .bind(descriptor) { accept($0, connections) }
        // A task of its own: a connection that was taken from the queue must be served or closed, never dropped.
        let serving = Task { try await serve(server, connections) }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await serving.value
            } onGracefulShutdown: {
                socket.retire()
                server.channel.close(promise: nil)
                connections.drain(within: limits.drain)
            }
        } onCancel: {
            socket.retire()
            server.channel.close(promise: nil)
            connections.end()
        }
    }

    /// The credentials of the process that connected: `struct ucred` (unix(7)).
    private struct Credentials: Sendable {
        var pid: Int32
        var uid: UInt32
        var gid: UInt32
    }

    private struct Connection: Sendable {
        var number: Int
        var channel: HTTP1Channel.Value
        var peer: Credentials
        var presence: Presence
        /// Whether it is one too many.
        var isRefused: Bool
    }

    /// Runs on the connection's event loop, before any byte is read.
    private func accept(_ channel: any Channel, _ connections: LocalConnections) -> EventLoopFuture<Connection?> {
        guard let options = channel as? any SocketOptionProvider else {
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(nil)
        }
        // SO_PEERCRED writes a struct of these three fields.
        let peer: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
        return peer.flatMap { peer in
            let presence = Presence { channel.close(promise: nil) }
            let admission = admits(peer.uid) ? connections.add(channel, presence, pid: peer.pid) : .closed
            let number: Int
            switch admission {
            case .served(let given), .refused(let given): number = given
            case .closed:
                channel.close(promise: nil)
                return channel.eventLoop.makeSucceededFuture(nil)
            }
            let http = HTTP1Channel(
                responder: { _, _, _ in },
                configuration: .init(additionalChannelHandlers: [Reading { connections.read(number, isWhole: $0) }]))
            return http.setup(channel: channel, logger: Self.silence).map {
                Connection(
                    number: number, channel: $0, peer: peer, presence: presence,
                    isRefused: admission == .refused(number))
            }
        }
    }

    private func serve(_ server: NIOAsyncChannel<Connection?, Never>, _ connections: LocalConnections) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await server.executeThenClose { incoming in
                for try await connection in incoming {
                    guard let connection else { continue }
                    let task = Task { await serve(connection, connections) }
                    connections.started(connection.number, task)
                    group.addTask {
                        await task.value
                        connections.ended(connection.number)
                    }
                }
            }
        }
        connections.end()
    }

    private func serve(_ connection: Connection, _ connections: LocalConnections) async {
        let caller = connection.isRefused ? nil : await caller(of: connection)
        // Another program may hold one of the places that are reserved for our own.
        let isServed = caller.map { $0.isOwnProgram || connections.isPlaced(connection.number) } ?? false
        let http = HTTP1Channel(responder: { request, writer, _ in
            connections.began(connection.number)
            defer { connections.answered(connection.number) }
            guard let caller, isServed else { return try await refuse(request, connection, writer) }
            try await answer(request, caller, writer)
        })
        await http.handle(value: connection.channel, logger: Self.silence)
    }

    private func caller(of connection: Connection) async -> Caller {
        // Once, before anything is read: later the process may run another program.
        let (peer, presence) = (connection.peer, connection.presence)
        let found = try? await blocking { Caller(pid: peer.pid, uid: peer.uid, presence: presence) }
        let nobody = Requester(pid: peer.pid, uid: peer.uid, commands: [])
        return found ?? Caller(requester: nobody, hasTerminal: false, isOwnProgram: false, presence: presence)
    }

    /// Says that the connection is one too many, and closes it.
    private func refuse(_ request: Request, _ connection: Connection, _ writer: consuming ResponseWriter) async throws {
        // The body may hold a PIN.
        _ = try? await PINBody.read(request)
        var response = crowded()
        response.headers[.connection] = "close"
        if request.method == .head { response = response.createHeadResponse() }
        try await writer.write(response: response.head, body: response.body)
        connection.presence.end()
    }

    private func answer(_ request: Request, _ caller: Caller, _ writer: consuming ResponseWriter) async throws {
        var response: Response
        do {
            response = try await respond(request, caller)
        } catch let error as HTTPError {
            response = Response(status: error.status, headers: error.headers)
        } catch {
            response = Response(status: .internalServerError)
        }
        if request.method == .head { response = response.createHeadResponse() }
        try await writer.write(response: response.head, body: response.body)
    }

    private static let silence = Logger(label: "socket") { _ in SwiftLogNoOpLogHandler() }
}

/// Reports each part of a request, and whether it is the last.
private final class Reading: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let tell: (Bool) -> Void

    init(_ tell: @escaping (Bool) -> Void) { self.tell = tell }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { tell(true) } else { tell(false) }
        context.fireChannelRead(data)
    }
}
