package import Basics
internal import Glibc
internal import Synchronization

/// One connection to the agent's socket, for our own commands: HTTP/1.1 in blocking calls.
///
/// Written here because AsyncHTTPClient starts threads and event loops, which would take longer than most commands, and
/// copies a body on its way: this sends a PIN from locked memory straight into the socket.
///
/// Calls from several threads wait for each other.
package final class LocalClient: Sendable {
    /// The body of a request.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// Its bytes are not copied on the way to the socket, and are wiped when they were sent.
        case secret(any Secret)
    }

    private struct State {
        var parser = AnswerParser()
        /// Whether no request may follow on this connection.
        var isOver = false
    }

    private let path: String
    private let stream: UnixStream
    private let state = Mutex(State())

    /// Nil when nobody listens there. Throws `SocketError`: `stranger` when the listener belongs to another user,
    /// `tooLong`, `unusable`, `timedOut`.
    package init?(connectingTo path: String) throws(SocketError) {
        guard let stream = try Self.connect(path) else { return nil }
        self.path = path
        self.stream = stream
    }

    /// Cancels the call in progress, from any thread: it and every later call throw `cancelled`.
    package func cancel() { stream.cancel() }

    /// Whether another request can be sent: neither side has closed the connection, and nothing went wrong on it.
    package var isOpen: Bool { state.withLock { !$0.isOver && stream.isUsable } }

    /// Sends one request and waits for the whole answer.
    ///
    /// Throws `SocketError`: `notRunning` when the agent has closed the connection and nothing was sent; after `ended`,
    /// `timedOut`, `malformed`, `tooLarge` and `cancelled` the agent may have carried out the request. The connection
    /// cannot be used after any of these.
    ///
    /// - Parameters:
    ///   - path: with its query, percent-encoded.
    ///   - headers: beside `Host` and `Content-Length`. No part of a header or of the path may hold a line break.
    ///   - timeout: for the whole call.
    ///   - lines: takes each line as soon as it arrives, if the status is 200 and the type is the one that `headers` ask
    ///     for as `accept`. Such an answer may be of any length; its body is the rest after the last line break. Nil: any
    ///     answer has a body.
    package func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: Body = .none,
        timeout: Duration = .seconds(30), lines: ((_ line: [UInt8]) -> Void)? = nil
    ) throws(SocketError) -> LocalAnswer {
        let deadline = ContinuousClock.now + timeout
        return try state.withLock { state throws(SocketError) in
            guard !state.isOver, stream.isUsable else {
                state.isOver = true
                throw .notRunning("the agent has closed the connection")
            }
            state.isOver = true
            try stream.sendRequest(method, path, headers, body, by: deadline)
            let accepted = headers.first { $0.0.lowercased() == "accept" }?.1
            let answer = try stream.answer(&state.parser, by: deadline) { head in
                head.status == 200 && accepted != nil && head.values("content-type").first == accepted ? lines : nil
            }
            state.isOver = answer["connection"]?.lowercased() == "close" || !state.parser.isEmpty
            return answer
        }
    }

    /// Opens an event stream on a connection of its own.
    ///
    /// Throws as `send` does, and `malformed` when the answer is no event stream; `send` reads such an answer.
    ///
    /// - Parameter silence: the longest time without an event or a heartbeat.
    package func stream(
        _ path: String, headers: [(String, String)] = [], silence: Duration = .seconds(60)
    ) throws(SocketError) -> LocalEvents {
        guard let stream = try Self.connect(self.path) else {
            throw .notRunning("the agent is gone")
        }
        let deadline = ContinuousClock.now + silence
        try stream.sendRequest("GET", path, headers + [("accept", "text/event-stream")], .none, by: deadline)
        var parser = AnswerParser()
        let head = try stream.head(&parser, by: deadline)
        guard head.status == 200, head.values("content-type").first?.hasPrefix("text/event-stream") == true else {
            throw .malformed("no event stream (status \(head.status))")
        }
        return LocalEvents(stream, parser, silence: silence)
    }

    private static func connect(_ path: String) throws(SocketError) -> UnixStream? {
        guard let stream = try UnixStream(connectingTo: path) else { return nil }
        guard stream.peer.uid == geteuid() else {
            throw .stranger(path: path, uid: stream.peer.uid)
        }
        return stream
    }
}
