internal import Authenticator
internal import Basics
internal import Dispatch
internal import LocalSocket
internal import Synchronization

/// One agent at the other end of its socket: calls that may overlap, each on a connection of its own, which are kept for
/// the next ones.
final class AgentLine: Sendable {
    /// What a missing answer means.
    enum Kind: Sendable {
        /// Nothing was changed.
        case question
        /// The request may have been carried out.
        case change
        /// The bank may have the decision. It is not cut short once it has left.
        case decision
    }

    struct Call: Sendable {
        var method: String
        var path: String
        var kind: Kind
        var body = LocalClient.Body.none
        var headers: [(String, String)] = []
        /// Takes the answer line by line (`LocalClient.send`).
        var lines: (@Sendable (_ line: [UInt8]) -> Void)?

        init(
            _ method: String, _ path: String, _ kind: Kind, body: LocalClient.Body = .none,
            headers: [(String, String)] = []
        ) {
            self.method = method
            self.path = path
            self.kind = kind
            self.body = body
            self.headers = headers
        }

        init(_ method: String, _ path: String, _ kind: Kind, json: some Encodable) throws {
            self.init(
                method, path, kind, body: .bytes(try JSONForm.encode(json)),
                headers: [("Content-Type", "application/json")])
        }
    }

    /// Longer than the person, the bank's final word and all banks in a row ever take: an agent that hangs does not keep a
    /// command for ever.
    private static let patience = Duration.seconds(900)
    /// The longest name in a path, in bytes. No name of ours is longer.
    private static let longestName = 8192

    private let socket: String
    private let headers: [(String, String)]
    private let inPlace: Bool
    private let idle: Mutex<[LocalClient]>

    /// - Parameters:
    ///   - client: a connection that is open already.
    ///   - inPlace: whether calls block the thread that makes them.
    init(to socket: String, headers: [(String, String)], client: LocalClient? = nil, inPlace: Bool = false) {
        self.socket = socket
        self.inPlace = inPlace
        self.headers = headers
        idle = Mutex(client.map { [$0] } ?? [])
    }

    /// Another line to the same agent, with connections of its own.
    func another() -> AgentLine { AgentLine(to: socket, headers: headers, inPlace: inPlace) }

    /// `prefix` and a name as one step of a path. Throws `error` for a name that no path can have.
    func path(_ prefix: String, _ name: String, else error: LookupError) throws -> String {
        guard !name.isEmpty, name.utf8.count <= Self.longestName else { throw error }
        return prefix + URLText.encode(name)
    }

    func get<Value: Decodable & Sendable>(_ path: String) async throws -> Value {
        try await call(Call("GET", path, .question))
    }

    /// Throws the failure that the agent answers with, or one that says that no answer came.
    func call<Value: Decodable & Sendable>(_ call: Call) async throws -> Value {
        let answer = try await answer(call)
        guard let value = try? JSONForm.decode(Value.self, from: answer.body) else { throw Failure.unreadable(answer) }
        return value
    }

    /// The authorizations that wait, read line by line, since their number is not known.
    func round(_ path: String) async throws -> PendingRound {
        let lines = Mutex(PendingRoundLines())
        var call = Call("GET", path, .question, headers: [("accept", PendingRound.lines)])
        call.lines = { line in lines.withLock { $0.take(line) } }
        let answer = try await answer(call)
        guard let round = lines.withLock({ $0.round }) else { throw Failure.unreadable(answer) }
        return round
    }

    /// Like `call`, for a request whose answer has no body.
    func tell(_ call: Call) async throws { _ = try await answer(call) }

    private func answer(_ call: Call) async throws -> LocalAnswer {
        let answer = try await exchange(call)
        guard (200..<300).contains(answer.status) else { throw Failure(answer) }
        return answer
    }

    // MARK: Blocking calls

    private func exchange(_ call: Call) async throws -> LocalAnswer {
        let cutting = Cutting()
        return try await withTaskCancellationHandler {
            try await onThread {
                do {
                    return try self.send(call, cutting)
                } catch {
                    throw Failure(error, of: call.kind)
                }
            }
        } onCancel: {
            if call.kind != .decision { cutting.cut() }
        }
    }

    func events() async throws -> LocalEvents {
        try await onThread {
            do {
                // The client only lends its address; the stream has a connection of its own.
                guard let client = try self.idle.withLock({ $0.popLast() }) ?? LocalClient(connectingTo: self.socket)
                else { throw Failure.agentEnded }
                let events = try client.stream("/events", headers: self.headers)
                self.keep(client)
                return events
            } catch {
                throw Failure(error, of: .question)
            }
        }
    }

    /// A queue of its own brings a thread of its own. Those of the global queues are as many as processors, and tasks run on
    /// them.
    private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        if inPlace { return try body() }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "call").async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// A kept connection may have been closed meanwhile. Then nothing was sent, and another connection is used.
    private func send(_ call: Call, _ cutting: Cutting) throws -> LocalAnswer {
        while let client = idle.withLock({ $0.popLast() }) {
            do {
                return try send(call, on: client, cutting)
            } catch let error as SocketError where error.code == .notRunning {}
        }
        guard let client = try LocalClient(connectingTo: socket) else { throw Failure.agentEnded }
        return try send(call, on: client, cutting)
    }

    private func send(_ call: Call, on client: LocalClient, _ cutting: Cutting) throws -> LocalAnswer {
        cutting.hold(client)
        let answer = try client.send(
            call.method, call.path, headers: headers + call.headers, body: call.body, timeout: Self.patience,
            lines: call.lines)
        if cutting.release() { keep(client) }
        return answer
    }

    private func keep(_ client: LocalClient) {
        if client.isOpen { idle.withLock { $0.append(client) } }
    }
}

/// Cancels one call, now or as soon as it has a connection.
private final class Cutting: Sendable {
    private struct State {
        var client: LocalClient?
        var isCut = false
    }
    private let state = Mutex(State())

    func hold(_ client: LocalClient) {
        let isCut = state.withLock { state in
            state.client = client
            return state.isCut
        }
        if isCut { client.cancel() }
    }

    /// False when the call was cancelled.
    func release() -> Bool {
        state.withLock { state in
            state.client = nil
            return !state.isCut
        }
    }

    func cut() {
        let client = state.withLock { state in
            state.isCut = true
            return state.client
        }
        client?.cancel()
    }
}
