import Basics
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// A server on loopback that gives the answers that a test sets, and records requests byte for byte.
final class ScriptedBank: Sendable {
    struct Request: Sendable {
        var method: String
        /// As it is on the request line.
        var target: String
        var headers: [(String, String)]
        var body: [UInt8]

        func header(_ name: String) -> String? {
            headers.first { $0.0.lowercased() == name.lowercased() }?.1
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    enum Reply: Sendable {
        case text(String, status: Int = 200, headers: [(String, String)] = [("Content-Type", "application/json")])
        /// That many bytes, in chunks and without a length.
        case flood(Int)
        /// A header that announces that many bytes, and none of them.
        case announce(Int)
        /// Part of an answer, then nothing more.
        case stall(String)
        /// Part of an answer, then the connection is cut.
        case cut(String)
        /// The connection is cut without an answer.
        case drop
    }

    typealias Script = @Sendable (Request) -> Reply

    let base: WebAddress
    private let channel: any Channel
    private let seen: SeenRequests

    var requests: [Request] { seen.all }

    private init(base: WebAddress, channel: any Channel, seen: SeenRequests) {
        self.base = base
        self.channel = channel
        self.seen = seen
    }

    /// Serves while `body` runs. With a `tls` context over HTTPS, reached as `localhost`.
    static func serve<R>(
        tls: NIOSSLContext? = nil, _ script: @escaping Script, _ body: (ScriptedBank) async throws -> R
    ) async throws -> R {
        let seen = SeenRequests()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(script: script, seen: seen))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port ?? 0
        let bank = ScriptedBank(
            base: try WebAddress(tls == nil ? "http://127.0.0.1:\(port)" : "https://localhost:\(port)"),
            channel: channel,
            seen: seen)
        do {
            let result = try await body(bank)
            try await channel.close()
            return result
        } catch {
            try? await channel.close()
            throw error
        }
    }

    final class SeenRequests: Sendable {
        private let requests = Mutex<[Request]>([])
        var all: [Request] { requests.withLock { $0 } }
        func add(_ request: Request) { requests.withLock { $0.append(request) } }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let script: Script
        private let seen: SeenRequests
        private var request: Request?

        init(script: @escaping Script, seen: SeenRequests) {
            self.script = script
            self.seen = seen
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                request = Request(
                    method: head.method.rawValue, target: head.uri, headers: head.headers.map { ($0, $1) }, body: [])
            case .body(let bytes):
                request?.body.append(contentsOf: bytes.readableBytesView)
            case .end:
                guard let request else { return }
                seen.add(request)
                answer(script(request), context)
            }
        }

        private func answer(_ reply: Reply, _ context: ChannelHandlerContext) {
            switch reply {
            case .text(let text, let status, let headers):
                var headers = HTTPHeaders(headers)
                headers.replaceOrAdd(name: "Content-Length", value: String(text.utf8.count))
                write(head: status, headers, context)
                write(text, context)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .flood(let count):
                write(head: 200, [:], context)
                let chunk = String(repeating: " ", count: 1 << 16)
                for _ in 0..<(count >> 16) { write(chunk, context) }
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            case .announce(let count):
                write(head: 200, ["Content-Length": String(count)], context)
                context.flush()
            case .stall(let text):
                write(head: 200, ["Content-Length": "1000"], context)
                write(text, context)
                context.flush()
            case .cut(let text):
                write(head: 200, ["Content-Length": "1000"], context)
                write(text, context)
                context.flush()
                context.close(promise: nil)
            case .drop:
                context.close(promise: nil)
            }
        }

        private func write(head status: Int, _ headers: HTTPHeaders, _ context: ChannelHandlerContext) {
            let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
        }
    }
}
