public import Hummingbird
internal import NIOCore
internal import ServiceLifecycle

/// Answers with a stream of server-sent events (WHATWG HTML, section 9.2).
public enum EventStream {
    /// An answer that goes on until the events end, the client leaves, or a shutdown is asked for; then the task that takes
    /// the events is cancelled.
    ///
    /// Each event is sent at once. A client that does not read what is sent loses the stream when `backlog` events wait for
    /// it, so that it asks anew and sees the present state.
    ///
    /// - Parameters:
    ///   - presence: of the client.
    ///   - heartbeat: how often a comment is sent, by which both sides notice when the other is gone.
    public static func response<Events: AsyncSequence & Sendable>(
        _ events: Events, to presence: Presence, heartbeat: Duration = .seconds(15), backlog: Int = 256
    ) -> Response where Events.Element == StreamEvent {
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        let body = ResponseBody { writer in
            let (pieces, feed) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(backlog))
            let source = Task {
                defer { feed.finish() }
                for try await event in events {
                    if case .dropped = feed.yield(ByteBuffer(string: text(event))) { return }
                }
            }
            let beats = Task {
                while true {
                    try await Task.sleep(for: heartbeat)
                    feed.yield(ByteBuffer(string: ":\n\n"))
                }
            }
            let end = Task {
                try await gracefulShutdown()
                feed.finish()
            }
            let departure = presence.onDeparture { feed.finish() }
            defer {
                for task in [source, beats, end] { task.cancel() }
                presence.forget(departure)
            }
            for await piece in pieces { try await writer.write(piece) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// A name or a line of data ends where a line does.
    static func text(_ event: StreamEvent) -> String {
        let lines = event.data.split(omittingEmptySubsequences: false, whereSeparator: isLineBreak)
        let name = String(event.name.map { isLineBreak($0) ? " " : $0 })
        return "event: \(name)\n" + lines.map { "data: \($0)\n" }.joined() + "\n"
    }

    /// As the receiver sees it; CR LF is one character.
    private static func isLineBreak(_ character: Character) -> Bool {
        character == "\n" || character == "\r" || character == "\r\n"
    }
}
