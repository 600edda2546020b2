import Basics
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// Listens on a loopback address for the browser of this user. It answers GET on one exact path with one exact `Host`,
/// and 404 to anything else. It does not answer a program that the kernel reports as another user's.
final class LoopbackListener: Sendable {
    /// So that no program uses up the descriptors of this process.
    struct Limits {
        /// About how many connections there are at a time. Others wait.
        var connections = 16
        /// How long a connection may say nothing, or take for the head of a request.
        var idleness = Duration.seconds(10)
    }

    /// The answer to the browser.
    enum Answer {
        case page(HTTPResponse.Status, _ title: String, _ text: String)
        /// Redirects the browser to a page.
        case lead(to: PageAddress)
    }

    /// `http://127.0.0.1:PORT/PATH`.
    let address: String
    private let group: ServiceGroup
    private let server: Task<Void, any Error>

    /// Starts listening. `answer` is called with the whole address that a browser asked for. `host` is `[::1]`, or `127.0.0.1` or
    /// `localhost`, which are both served at 127.0.0.1; `port` 0 takes any free port; `path` may be empty. Throws a `Failure` when the
    /// port cannot be used.
    init(
        host: String = "127.0.0.1", port wanted: Int = 0, path: String, limits: Limits = Limits(),
        answer: @escaping @Sendable (_ address: String) async -> Answer
    ) async throws {
        let authority = ListeningAuthority()
        let (ports, announce) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: OneResponder { request in
                guard request.method == .get, request.uri.path == (path.isEmpty ? "/" : path),
                    authority.isNamed(by: request.head.authority)
                else { return Self.response(.page(.notFound, "Not found", "There is nothing here.")) }
                let query = request.uri.query.map { "?\($0)" } ?? ""
                return Self.response(await answer("http://\(authority.text)\(path)\(query)"))
            },
            server: HTTPServerBuilder { LoopbackChannel($0, owner: ConnectionOwner(), idleness: limits.idleness) },
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
            // It may be starting still, where this task was cancelled.
            server.cancel()
            throw Failure(
                .internal, wanted == 0 ? "no port on 127.0.0.1 is free" : "port \(wanted) is not free",
                hint: "use --callback paste")
        }
        authority.set("\(host):\(port)")
        address = "http://\(authority.text)\(path)"
    }

    /// Stops listening after the current answers are delivered.
    func close() async {
        await group.triggerGracefulShutdown()
        _ = await server.result
    }

    private static let silence = Logger(label: "loopback") { _ in SwiftLogNoOpLogHandler() }

    private static func response(_ answer: Answer) -> Response {
        var headers = HTTPFields()
        headers[.cacheControl] = "no-store"
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        switch answer {
        case .lead(let page):
            headers[.location] = page.text
            return Response(status: .seeOther, headers: headers, body: .init())
        case .page(let status, let title, let text):
            let body = """
                <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(title)</title>
                <style>body{font:1.2rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1rem}</style></head>
                <body><main><h1>\(title)</h1><p>\(text)</p></main></body></html>
                """
            headers[.contentType] = "text/html; charset=utf-8"
            if let name = HTTPField.Name("Content-Security-Policy") {
                headers[name] = "default-src 'none'; style-src 'unsafe-inline'"
            }
            return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: body)))
        }
    }
}

/// A responder that calls one function.
private struct OneResponder: HTTPResponder {
    typealias Context = BasicRequestContext
    let answer: @Sendable (Request) async -> Response

    func respond(to request: Request, context: Context) async throws -> Response { await answer(request) }
}

/// `127.0.0.1:PORT`, set when the port is known. Until then no request has the right `Host`.
private final class ListeningAuthority: Sendable {
    private let known = Mutex("")
    var text: String { known.withLock { $0 } }
    func set(_ authority: String) { known.withLock { $0 = authority } }

    /// Whether a request is for this authority. Browsers leave the port 80 out.
    func isNamed(by asked: String?) -> Bool { asked == text || asked.map { $0 + ":80" == text } ?? false }
}
