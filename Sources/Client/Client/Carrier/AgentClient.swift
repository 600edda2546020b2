internal import Approvals
internal import Basics
internal import Dispatch
import Keys
internal import LocalSocket
internal import Synchronization
import Verbs
import AgentWire

/// Asks a running agent. Calls may overlap: each has a connection of its own, which is kept for later calls.
final class AgentClient: Sendable {
    private struct Call: Sendable {
        var method: String
        var path: String
        var effect: VerbRules.Effect
        var body = LocalClient.Body.none
        var headers: [(String, String)] = []
        /// Takes the answer line by line (`LocalClient.send`).
        var lines: (@Sendable (_ line: [UInt8]) -> Void)?
    }

    /// Longer than the person, a bank's final word and all banks in a row ever take, so that an agent that hangs does not
    /// keep a command for ever.
    private static let patience = Duration.seconds(900)

    private let socket: String
    private let headers: [(String, String)]
    private let inPlace: Bool
    private let idle: Mutex<[LocalClient]>

    /// - Parameters:
    ///   - connection: an open connection.
    ///   - inPlace: whether calls block the thread that makes them.
    init(of socket: String, headers: [(String, String)], connection: LocalClient? = nil, inPlace: Bool = false) {
        self.socket = socket
        self.inPlace = inPlace
        self.headers = headers
        idle = Mutex(connection.map { [$0] } ?? [])
    }

    /// Another client of the same agent, with connections of its own.
    func another() -> AgentClient { AgentClient(of: socket, headers: headers, inPlace: inPlace) }

    // MARK: Verbs

    /// Sends a verb. Throws the failure that the agent answers with, or a failure that says that no answer came.
    ///
    /// - Parameters:
    ///   - name: fills the placeholder in the verb's path; empty if it has none.
    ///   - pin: never becomes JSON.
    func perform<Host, Input, Output: Codable>(
        _ verb: Verb<Host, Input, Output>, on name: String = "", _ input: Input, pin: EnteredPIN? = nil
    ) async throws -> Output {
        var call = try Self.call(verb.rules, name, input, pin)
        if verb.rules.answer == .lines { return try await lines(of: &call) }
        let answer = try await answer(call)
        let json = verb.rules.answer == .nothing ? Array("{}".utf8) : answer.body
        guard let value = try? JSONForm.decode(Output.self, from: json) else { throw Failure.unreadable(answer) }
        return value
    }

    /// Sends a verb without an input, and accepts an answer of any form: the agent may be of another version.
    func tell<Host, Output>(_ verb: Verb<Host, NoInput, Output>) async throws {
        _ = try await answer(try Self.call(verb.rules, "", NoInput(), nil))
    }

    /// The authorizations that wait, read line by line, since their number is not known.
    private func lines<Output>(of call: inout Call) async throws -> Output {
        let lines = Mutex(PendingRoundLines())
        call.headers = [("accept", PendingRound.lines)]
        call.lines = { line in lines.withLock { $0.take(line) } }
        let answer = try await answer(call)
        guard let round = lines.withLock({ $0.round }) as? Output else { throw Failure.unreadable(answer) }
        return round
    }

    private static func call(
        _ rules: VerbRules, _ name: String, _ input: some VerbInput, _ pin: EnteredPIN?
    ) throws -> Call {
        guard let path = rules.path.filled(with: name) else { throw rules.missing(name) }
        var arguments = VerbArguments()
        try input.write(to: &arguments)
        var call = Call(
            method: rules.method.rawValue, path: path + rules.form.text(of: arguments.query), effect: rules.effect)
        if let pin = try pin?.typed() {
            call.body = .secret(pin.secret)
            call.headers = [pin.source.header]
        } else if case .json = rules.form {
            call.body = .bytes(arguments.json)
            call.headers = [("Content-Type", "application/json")]
        }
        return call
    }

    private func answer(_ call: Call) async throws -> LocalAnswer {
        let answer = try await exchange(call)
        guard (200..<300).contains(answer.status) else { throw Failure(answer) }
        return answer
    }

    // MARK: Blocking calls

    private func exchange(_ call: Call) async throws -> LocalAnswer {
        let cancellation = CallCancellation()
        return try await withTaskCancellationHandler {
            try await onThread {
                do {
                    return try self.send(call, cancellation)
                } catch {
                    throw Failure(error, after: call.effect)
                }
            }
        } onCancel: {
            if call.effect != .decision { cancellation.cancel() }
        }
    }

    func events() async throws -> LocalEvents {
        try await onThread {
            do {
                // Only the client's address is used; the stream has a connection of its own.
                guard let client = try self.idle.withLock({ $0.popLast() }) ?? LocalClient(connectingTo: self.socket)
                else { throw Failure.agentEnded }
                let events = try client.stream(AgentVerbs.events.rules.path.text, headers: self.headers)
                self.keep(client)
                return events
            } catch {
                throw Failure(error, after: .none)
            }
        }
    }

    /// A queue of its own has a thread of its own. The global queues have as many threads as processors, and tasks run on
    /// them.
    private func onThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        if inPlace { return try body() }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "call").async { continuation.resume(with: Result { try body() }) }
        }
    }

    /// The agent may have closed a kept connection. Then nothing was sent, and another connection is used.
    private func send(_ call: Call, _ cancellation: CallCancellation) throws -> LocalAnswer {
        while let client = idle.withLock({ $0.popLast() }) {
            do {
                return try send(call, on: client, cancellation)
            } catch SocketError.notRunning {}
        }
        guard let client = try LocalClient(connectingTo: socket) else { throw Failure.agentEnded }
        return try send(call, on: client, cancellation)
    }

    private func send(_ call: Call, on client: LocalClient, _ cancellation: CallCancellation) throws -> LocalAnswer {
        cancellation.hold(client)
        let answer = try client.send(
            call.method, call.path, headers: headers + call.headers, body: call.body, timeout: Self.patience,
            lines: call.lines)
        if cancellation.release() { keep(client) }
        return answer
    }

    private func keep(_ client: LocalClient) {
        if client.isOpen { idle.withLock { $0.append(client) } }
    }
}

/// Cancels one call, now or as soon as it has a connection.
private final class CallCancellation: Sendable {
    private struct State {
        var client: LocalClient?
        var isCancelled = false
    }
    private let state = Mutex(State())

    func hold(_ client: LocalClient) {
        let isCancelled = state.withLock { state in
            state.client = client
            return state.isCancelled
        }
        if isCancelled { client.cancel() }
    }

    /// Returns false when the call was cancelled.
    func release() -> Bool {
        state.withLock { state in
            state.client = nil
            return !state.isCancelled
        }
    }

    func cancel() {
        let client = state.withLock { state in
            state.isCancelled = true
            return state.client
        }
        client?.cancel()
    }
}
