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

    /// A name is one line; each line of the data becomes one of its own, also where it ends with CR.
    static func text(_ event: StreamEvent) -> String {
        func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        var bytes = Array("event: ".utf8) + event.name.utf8.map { isLineBreak($0) ? UInt8(ascii: " ") : $0 }
        bytes += "\ndata: ".utf8
        var previous: UInt8 = 0
        for byte in event.data.utf8 {
            // CR LF is one end of a line.
            if isLineBreak(byte) {
                if !(previous == UInt8(ascii: "\r") && byte == UInt8(ascii: "\n")) { bytes += "\ndata: ".utf8 }
            } else {
                bytes.append(byte)
            }
            previous = byte
        }
        return String(decoding: bytes, as: UTF8.self) + "\n\n"
    }
}
