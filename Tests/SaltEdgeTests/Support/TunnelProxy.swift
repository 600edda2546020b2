import NIOCore
import NIOPosix

/// A proxy that connects every CONNECT to one port of this machine, and records the requests.
enum TunnelProxy {
    /// Serves while `body` runs; it gets the proxy's `host:port` and the heads of the requests so far.
    static func serve<R>(
        leadingTo port: Int, _ body: (String, ScriptedBank.SeenRequests) async throws -> R
    ) async throws -> R {
        let seen = ScriptedBank.SeenRequests()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Entrance(port: port, seen: seen))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body("127.0.0.1:\(channel.localAddress?.port ?? 0)", seen)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    /// Reads the head of the CONNECT, then passes bytes on.
    private final class Entrance: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let port: Int
        private let seen: ScriptedBank.SeenRequests
        private var head = ByteBuffer()
        private var far: (any Channel)?

        init(port: Int, seen: ScriptedBank.SeenRequests) {
            self.port = port
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            if let far {
                far.writeAndFlush(bytes, promise: nil)
                return
            }
            head.writeBuffer(&bytes)
            let text = String(buffer: head)
            guard text.hasSuffix("\r\n\r\n") else { return }
            let lines = text.split(separator: "\r\n").map(String.init)
            let words = (lines.first ?? "").split(separator: " ").map(String.init)
            let headers = lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
                return (parts[0], String((parts.last ?? "").drop { $0 == " " }))
            }
            seen.add(
                .init(method: words.first ?? "", target: words.dropFirst().first ?? "", headers: headers, body: []))
            let near = context.channel
            let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
            ClientBootstrap(group: context.eventLoop)
                .channelInitializer { far in
                    far.eventLoop.makeCompletedFuture { try far.pipeline.syncOperations.addHandler(Exit(near: near)) }
                }
                .connect(host: "127.0.0.1", port: port)
                .whenSuccess { far in
                    handler.value.far = far
                    near.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), promise: nil)
                }
        }

        func channelInactive(context: ChannelHandlerContext) {
            far?.close(promise: nil)
        }
    }

    /// Passes the bytes of the other end back.
    private final class Exit: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        private let near: any Channel

        init(near: any Channel) {
            self.near = near
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            near.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            near.close(promise: nil)
        }
    }
}
