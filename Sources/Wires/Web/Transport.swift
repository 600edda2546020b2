import AsyncHTTPClient
package import Basics
package import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Makes HTTP calls over TLS 1.2 or newer, with limits in time and size. It does not follow redirects.
///
/// One transport serves the whole process. `shutdown` must be called before its last reference goes.
package final class Transport: Sendable {
    /// How long calls may take, in seconds.
    package struct Patience: Sendable {
        /// Until a connection is made, TLS included.
        package var connect: Double
        /// For the whole call, to the last byte of the answer.
        package var whole: Double
        /// How many times as long slow and quick calls may take.
        static let (slowness, quickness) = (3.0, 0.75)

        package init(connect: Double = 10, whole: Double = 20) {
            self.connect = connect
            self.whole = whole
        }
    }

    /// The certificate authorities that are trusted besides those of the system; nil if there are none, or too many to be kept.
    package let authorities: AuthorityBundle?
    /// For each request; nil where the clients' own is used.
    private let tls: TLSConfiguration?
    private let direct: HTTPClient
    private let proxied: HTTPClient?
    private let proxy: ProxySettings
    private let environment: [String: String]
    private let patience: Patience
    private let timeLimit: TimeLimit
    private let slowLimit: TimeLimit
    private let quickLimit: TimeLimit
    private let loopExecutor: LoopExecutor
    private let now: @Sendable () -> Date
    private let trace: @Sendable (String) -> Void

    /// - Parameters:
    ///   - authorities: path of a PEM file with certificate authorities that are trusted besides those of the system.
    ///   - environment: where `HTTPS_PROXY`, `NO_PROXY`, `SSL_CERT_FILE` and `SSL_CERT_DIR` are looked up.
    ///   - now: our clock, for a `Retry-After` that names a moment.
    ///   - trace: receives a line about each call: method, address without its query, and the result. Never a secret.
    package init(
        authorities: String? = nil, environment: [String: String] = [:], patience: Patience = Patience(),
        now: @escaping @Sendable () -> Date = { Date() }, trace: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(TransportError) {
        proxy = try ProxySettings(environment: environment)
        self.patience = patience
        self.environment = environment.filter { Trust.variables.contains($0.key) }
        let group = MultiThreadedEventLoopGroup.singleton
        loopExecutor = LoopExecutor(on: group.next())
        timeLimit = TimeLimit(seconds: patience.whole)
        slowLimit = TimeLimit(seconds: patience.whole * Patience.slowness)
        quickLimit = TimeLimit(seconds: patience.whole * Patience.quickness)
        self.now = now
        self.trace = trace
        let trust = try Trust(environment: environment, file: authorities)
        self.authorities = trust.own
        let tls = trust.configuration
        self.tls = nil
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .milliseconds(Int64(patience.connect * 1000))))
        configuration.httpVersion = .http1Only
        configuration.tracing.tracer = nil
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .seconds(30)
        // One SCA Service may serve many connections, whose calls must not wait for each other.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        // Not resolved by DNS, which could name another machine.
        configuration.dnsOverride = ["localhost": "127.0.0.1"]
        direct = HTTPClient(eventLoopGroup: group, configuration: configuration)
        if let server = proxy.proxy {
            configuration.proxy = server
            proxied = HTTPClient(eventLoopGroup: group, configuration: configuration)
        } else {
            proxied = nil
        }
    }

    /// The same transport, which trusts these authorities as well. It closes its connections with the first one.
    package convenience init(_ other: Transport, trusting more: AuthorityBundle) throws(TransportError) {
        self.init(other, try Trust(environment: other.environment, other.authorities, more))
    }

    private init(_ other: Transport, _ trust: Trust) {
        authorities = trust.own
        tls = trust.configuration
        environment = other.environment
        (direct, proxied, proxy) = (other.direct, other.proxied, other.proxy)
        (patience, timeLimit, slowLimit, quickLimit) = (
            other.patience, other.timeLimit, other.slowLimit, other.quickLimit
        )
        (loopExecutor, now, trace) = (other.loopExecutor, other.now, other.trace)
    }

    /// For tasks that make many calls: on this executor they switch threads as little as possible.
    package var executor: any TaskExecutor { loopExecutor }

    /// Waits until a moment without leaving the thread of `executor`. Throws when its task is cancelled.
    package var sleep: @Sendable (ContinuousClock.Instant) async throws -> Void { loopExecutor.sleep }

    /// Closes all connections. No call may be made afterwards.
    package func shutdown() async {
        try? await direct.shutdown()
        try? await proxied?.shutdown()
    }

    /// Sends one call. Throws `unreachable` when the request cannot have reached the server (for a GET: whenever no
    /// complete answer came), else `noAnswer`; `tooLarge` for an answer beyond the call's limit.
    package func send(_ call: Call) async throws(CallError) -> Answer {
        let start = ContinuousClock.now
        func tell(_ result: String) {
            let milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
            trace("\(call.method) \(call.address.origin)\(call.address.path): \(result), \(Int(milliseconds)) ms")
        }
        do {
            let answer = try await exchange(call)
            tell("\(answer.status), \(answer.body.count) bytes")
            return answer
        } catch {
            tell(error.reason)
            throw error
        }
    }

    private func exchange(_ call: Call) async throws(CallError) -> Answer {
        let proxy = proxy.applies(to: call.address) ? proxy.name : nil
        let client = proxy == nil ? direct : proxied ?? direct
        var tries = 0
        while true {
            let reader = AnswerReader(call, now: now)
            do {
                return try await exchange(call, client, reader)
            } catch let error as CallError {
                throw error
            } catch ChannelError.ioOnClosedChannel where tries < Self.mostTries && !reader.isSent {
                // A server may end a connection that is kept for the next call at the moment of that call. Then nothing was sent.
                tries += 1
            } catch {
                throw CallError(failure: error, of: call, sent: reader.isSent, through: proxy)
            }
        }
    }

    private static let mostTries = 3

    private func exchange(_ call: Call, _ client: HTTPClient, _ reader: AnswerReader) async throws -> Answer {
        let request = try HTTPClient.Request(
            url: call.address.text, method: HTTPMethod(rawValue: call.method), headers: HTTPHeaders(call.headers),
            body: reader.body, tlsConfiguration: tls)
        let task = client.execute(request: request, delegate: reader, eventLoop: .delegate(on: loopExecutor.loop))
        let limit =
            switch call.pace {
            case .quick: quickLimit
            case .usual: timeLimit
            case .slow: slowLimit
            }
        return try await limit.during(task.cancel) { try await task.get() }
    }
}
