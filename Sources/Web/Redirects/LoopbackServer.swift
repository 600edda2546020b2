import Basics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// What the browser shows after a redirect.
public struct RedirectWords: Sendable {
    public var goodTitle: String
    public var goodText: String
    public var badTitle: String
    public var badText: String

    public init(goodTitle: String, goodText: String, badTitle: String, badText: String) {
        self.goodTitle = goodTitle
        self.goodText = goodText
        self.badTitle = badTitle
        self.badText = badText
    }

    static let connection = RedirectWords(
        goodTitle: "Connected", goodText: "This computer is connected. You may close this tab.",
        badTitle: "Not connected",
        badText:
            "This did not connect the computer. Go back to the bank's page and try again, or look at the terminal.")
}

/// A server on a loopback address that receives the redirects of a browser (RFC 8252 section 7.3). It answers GET on one exact
/// path with one exact `Host`, and 404 to anything else. A program of another user is not answered.
public final class LoopbackServer: Sendable {
    /// So that no program uses up the descriptors of this process.
    struct Limits {
        /// About how many connections there are at a time. Others wait.
        var connections = 16
        /// How long a connection may say nothing, or take for the head of a request.
        var idleness = Duration.seconds(10)
    }

    /// The address to which the page must redirect the browser: `http://127.0.0.1:PORT/PATH`.
    public let returnURL: String
    private let incoming: IncomingRedirects
    private let group: ServiceGroup
    private let server: Task<Void, any Error>

    /// Starts listening at a one-time path, for a bank's page. `secret` is the path without its slash. Throws a `Failure` when no port
    /// is free.
    public convenience init(secret: String, _ incoming: IncomingRedirects) async throws {
        try await self.init(path: "/" + secret, words: .connection, incoming)
    }

    /// Starts listening, and puts each redirect into `incoming`. `host` is `[::1]`, or `127.0.0.1` or `localhost`, which are both
    /// served at 127.0.0.1; `port` 0 takes any free port; `path` may be empty. Throws a `Failure` when the port cannot be used.
    public convenience init(
        host: String = "127.0.0.1", port wanted: Int = 0, path: String, words: RedirectWords,
        _ incoming: IncomingRedirects
    ) async throws {
        try await self.init(host: host, port: wanted, path: path, words: words, incoming, limits: Limits())
    }

    init(
        host: String = "127.0.0.1", port wanted: Int = 0, path: String, words: RedirectWords,
        _ incoming: IncomingRedirects, limits: Limits, owner: ConnectionOwner = ConnectionOwner()
    ) async throws {
        self.incoming = incoming
        let address = ListeningAddress()
        let (ports, announce) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: OneResponder { request in
                await Self.respond(to: request, at: address, path: path, words, incoming)
            },
            server: HTTPServerBuilder { LoopbackChannel($0, owner: owner, idleness: limits.idleness) },
            configuration: .init(
                address: .hostname(host == "[::1]" ? "::1" : "127.0.0.1", port: wanted), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: Self.silence)),
            onServerRunning: { channel in
                announce.yield(channel.localAddress?.port ?? 0)
                announce.finish()
            },
            logger: Self.silence)
        var configuration = ServiceGroupConfiguration(services: [application], logger: Self.silence)
        configuration.maximumGracefulShutdownDuration = .seconds(2)
        let group = ServiceGroup(configuration: configuration)
        self.group = group
        server = Task {
            defer { announce.finish() }
            try await group.run()
        }
        var port = 0
        for await announced in ports { port = announced }
        guard port != 0 else {
            throw Failure(
                .internal, wanted == 0 ? "no port on 127.0.0.1 is free" : "port \(wanted) is not free",
                hint: "use --callback paste")
        }
        address.set("\(host):\(port)")
        returnURL = "http://\(address.authority)\(path)"
    }

    /// Refuses redirects that came too late, and stops the server once the page for the accepted redirect is delivered.
    public func close() async {
        await incoming.close()
        await group.triggerGracefulShutdown()
        _ = await server.result
    }

    private static let silence = Logger(label: "loopback") { _ in SwiftLogNoOpLogHandler() }

    private static func respond(
        to request: Request, at listening: ListeningAddress, path: String, _ words: RedirectWords,
        _ incoming: IncomingRedirects
    ) async -> Response {
        guard request.method == .get, request.uri.path == (path.isEmpty ? "/" : path),
            request.head.authority == listening.authority
        else {
            return page(.notFound, "Not found", "There is nothing here.")
        }
        let address = "http://\(listening.authority)\(path)" + (request.uri.query.map { "?\($0)" } ?? "")
        let verdict: Bool = await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let taken = incoming.offer(IncomingRedirect(address: address) { once.resume($0) })
            if !taken { once.resume(false) }
        }
        return verdict
            ? page(.ok, words.goodTitle, words.goodText) : page(.badRequest, words.badTitle, words.badText)
    }

    private static func page(_ status: HTTPResponse.Status, _ title: String, _ text: String) -> Response {
        let body = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
            <style>body{font:1.2rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1rem}</style></head>
            <body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
            """
        var headers = HTTPFields()
        headers[.contentType] = "text/html; charset=utf-8"
        headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        if let name = HTTPField.Name("Content-Security-Policy") {
            headers[name] = "default-src 'none'; style-src 'unsafe-inline'"
        }
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
    }
}

/// A responder that calls one function.
private struct OneResponder: HTTPResponder {
    typealias Context = BasicRequestContext
    let answer: @Sendable (Request) async -> Response

    func respond(to request: Request, context: Context) async throws -> Response { await answer(request) }
}

/// `127.0.0.1:PORT`, set when the port is known. Until then no request has the right `Host`.
private final class ListeningAddress: Sendable {
    private let known = Mutex("")
    var authority: String { known.withLock { $0 } }
    func set(_ authority: String) { known.withLock { $0 = authority } }
}

/// Resumes a continuation at the first call only.
private final class Once: Sendable {
    private let waiting: Mutex<CheckedContinuation<Bool, Never>?>

    init(_ continuation: CheckedContinuation<Bool, Never>) { waiting = Mutex(continuation) }

    func resume(_ value: Bool) {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }?.resume(returning: value)
    }
}
