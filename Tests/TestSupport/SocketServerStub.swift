import Foundation
import Synchronization

/// Somebody who listens at a path and answers each connection with set bytes, whatever it is asked.
package final class SocketServerStub: Sendable {
    /// What to do with a connection once a request's head has come.
    package struct Script: Sendable {
        package var answers: [String]
        /// Keeps the connection open after the last answer, until the client closes it.
        package var lingers: Bool

        package init(answers: [String], lingers: Bool = false) {
            self.answers = answers
            self.lingers = lingers
        }
    }

    private final class Log: Sendable {
        let requests = Mutex<[String]>([])
    }

    private let descriptor: Int32
    private let seen = Log()
    private let done = DispatchSemaphore(value: 0)

    package init(at path: String, _ scripts: Script...) throws {
        descriptor = try SocketHome.listener(at: path)
        let descriptor = descriptor
        Thread { [seen, done] in
            defer { done.signal() }
            for script in scripts {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                defer { close(connection) }
                for answer in script.answers {
                    let request = Self.request(on: connection)
                    seen.requests.withLock { $0.append(request) }
                    let bytes = Array(answer.utf8)
                    // The array lives through the call and its own count is given.
                    _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if script.lingers { _ = Self.request(on: connection) }
            }
        }.start()
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        done.wait()
        close(descriptor)
    }

    /// The requests so far, as they came, with their bodies.
    package var requests: [String] { seen.requests.withLock { $0 } }

    private static func request(on connection: Int32) -> String {
        var text = ""
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            // At most the array's own length is written into it.
            let count = recv(connection, &bytes, bytes.count, 0)
            guard count > 0 else { return text }
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<end.lowerBound].split(separator: "\r\n").compactMap {
                $0.hasPrefix("content-length: ") ? Int($0.dropFirst(16)) : nil
            }
            if text[end.upperBound...].utf8.count >= length.first ?? 0 { return text }
        }
    }
}
