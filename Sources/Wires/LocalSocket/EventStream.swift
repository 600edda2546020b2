package import Hummingbird
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// Answers with a stream of server-sent events (WHATWG HTML, section 9.2).
package enum EventStream {
    /// An answer that goes on until the events end, the client leaves, or the server shuts down. Then the task that reads
    /// the events is cancelled.
    ///
    /// Reads an event after the one before was written, so that events for a slow client wait at their source. Closes the
    /// connection when a heartbeat could not be sent for longer than `patience`, which is checked when the next one is due,
    /// and when the stream cannot be ended within a second of a shutdown.
    ///
    /// - Parameters:
    ///   - presence: of the client.
    ///   - heartbeat: how often a comment is sent, by which both sides notice when the other is gone.
    package static func response<Events: AsyncSequence & Sendable>(
        _ events: Events, to presence: Presence, heartbeat: Duration = .seconds(15),
        patience: Duration = .seconds(10)
    ) -> Response where Events.Element == StreamEvent {
        var headers = HTTPFields()
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        let body = ResponseBody { writer in
            let (pieces, feed) = AsyncStream.makeStream(of: Piece.self)
            let (turns, turn) = AsyncStream.makeStream(of: Void.self)
            // The time since when a heartbeat waits to be sent.
            let beat = Mutex<ContinuousClock.Instant?>(nil)
            let source = Task {
                defer { feed.finish() }
                var written = turns.makeAsyncIterator()
                for try await event in events {
                    feed.yield(.event(event))
                    guard await written.next() != nil else { return }
                }
            }
            let beats = Task {
                while true {
                    try await Task.sleep(for: heartbeat)
                    let since = beat.withLock { beat in
                        defer { beat = beat ?? .now }
                        return beat
                    }
                    if let since {
                        if .now - since > patience { return presence.end() }
                    } else {
                        feed.yield(.beat)
                    }
                }
            }
            let end = Task {
                try await gracefulShutdown()
                feed.finish()
                try await Task.sleep(for: .seconds(1))
                presence.end()
            }
            let departure = presence.onDeparture { feed.finish() }
            defer {
                for task in [source, beats, end] { task.cancel() }
                presence.forget(departure)
            }
            for await piece in pieces {
                switch piece {
                case .event(let event):
                    try await writer.write(ByteBuffer(string: text(event)))
                    turn.yield()
                case .beat:
                    try await writer.write(ByteBuffer(string: ":\n\n"))
                    beat.withLock { $0 = nil }
                }
            }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: headers, body: body)
    }

    /// The bytes that are written at a time.
    private enum Piece {
        case event(StreamEvent)
        case beat
    }

    /// Makes the name one line; each line of the data, also one that ends with CR, becomes a data line of its own.
    static func text(_ event: StreamEvent) -> String {
        func isLineBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        var bytes = Array("event: ".utf8) + event.name.utf8.map { isLineBreak($0) ? UInt8(ascii: " ") : $0 }
        bytes += "\ndata: ".utf8
        var previous: UInt8 = 0
        for byte in event.data.utf8 {
            // CR LF together end one line.
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
