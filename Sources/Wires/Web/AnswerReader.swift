import AsyncHTTPClient
import Basics
import FoundationEssentials
import NIOCore
import NIOHTTP1
import Synchronization

/// One running call: provides the request's body, and collects the answer up to the call's limit.
///
/// This is a delegate and does not use the client's async interface, since that starts tasks on other threads for each
/// call. In an agent that polls, they would cost more than the rest of the call.
final class AnswerReader: HTTPClientResponseDelegate {
    private struct State {
        var isSent = false
        var answer = Answer(status: 0)
    }

    private let call: Call
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// `now`: our clock, for a `Retry-After` that names a moment.
    init(_ call: Call, now: @escaping @Sendable () -> Date) {
        self.call = call
        self.now = now
    }

    /// Whether the request, or a part of it, was certainly sent.
    var isSent: Bool { state.withLock { $0.isSent } }

    /// The request's body; nil when there is none. The client asks for it when the connection is made. So a request
    /// whose body was never asked for cannot have been carried out.
    var body: HTTPClient.Body? {
        guard !call.body.isEmpty else { return nil }
        return .stream(contentLength: Int64(call.body.count)) { writer in
            self.state.withLock { $0.isSent = true }
            return writer.write(.byteBuffer(ByteBuffer(bytes: self.call.body)))
        }
    }

    func didReceiveHead(task: HTTPClient.Task<Answer>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
        // An answer without a length ends with its connection, and anybody on the way can end a connection (RFC 9112
        // section 6.3).
        let codings = head.headers[canonicalForm: "Transfer-Encoding"]
        guard codings.isEmpty || codings.last?.lowercased() == "chunked" else {
            let host = call.address.hostForPeople
            return task.eventLoop.makeFailedFuture(
                CallError.noAnswer(reason: "the answer of \(host) does not say where it ends"))
        }
        let serverTime = head.headers.first(name: "Date").flatMap(HTTPDate.parse)
        let retryAfter = head.headers.first(name: "Retry-After").flatMap {
            HTTPDate.delay($0, from: serverTime ?? now())
        }
        state.withLock { state in
            state.isSent = true
            state.answer = Answer(
                status: Int(head.status.code), serverTime: serverTime, retryAfter: retryAfter,
                location: head.headers.first(name: "Location"))
            state.answer.challenges = head.headers["WWW-Authenticate"]
        }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didReceiveBodyPart(task: HTTPClient.Task<Answer>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
        let excess: CallError? = state.withLock { state in
            guard state.answer.body.count + buffer.readableBytes <= call.limit else {
                let limit = call.limit < 1 << 20 ? "\(call.limit >> 10) KiB" : "\(call.limit >> 20) MiB"
                return .tooLarge(
                    reason: "the answer of \(call.address.hostForPeople) is larger than \(limit)",
                    status: state.answer.status, serverTime: state.answer.serverTime)
            }
            state.answer.body.append(contentsOf: buffer.readableBytesView)
            return nil
        }
        if let excess { return task.eventLoop.makeFailedFuture(excess) }
        return task.eventLoop.makeSucceededVoidFuture()
    }

    func didFinishRequest(task: HTTPClient.Task<Answer>) -> Answer {
        state.withLock { state in
            state.answer.receivedAt = .now
            return state.answer
        }
    }
}
