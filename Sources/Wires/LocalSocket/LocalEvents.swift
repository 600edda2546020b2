internal import Synchronization

/// An event stream of the agent, in blocking calls.
package final class LocalEvents: Sendable {
    private struct State {
        var parser: AnswerParser
        var events = EventParser()
        var waiting: [StreamEvent] = []
        var isOver = false
    }

    private let stream: UnixStream
    private let silence: Duration
    private let state: Mutex<State>

    init(_ stream: UnixStream, _ parser: AnswerParser, silence: Duration) {
        self.stream = stream
        self.silence = silence
        state = Mutex(State(parser: parser))
    }

    /// Ends the stream, from any thread: a `next` in progress and every later one throw `cancelled`.
    package func cancel() { stream.cancel() }

    /// The next event; nil when the agent has ended the stream.
    ///
    /// Throws `SocketError`: `cancelled`, `ended` when the agent went away without ending the stream, `timedOut` when not
    /// even a heartbeat came, `malformed`, `tooLarge`.
    package func next() throws(SocketError) -> StreamEvent? {
        try state.withLock { state throws(SocketError) in
            while state.waiting.isEmpty, !state.isOver {
                switch try stream.next(&state.parser, by: .now + silence) {
                case .body(let bytes): state.waiting = try state.events.feed(bytes).reversed()
                case .end: state.isOver = true
                case .head: throw .malformed("a second head")
                }
            }
            return state.waiting.popLast()
        }
    }
}
