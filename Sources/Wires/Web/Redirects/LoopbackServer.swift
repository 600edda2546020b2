import Basics
import Synchronization

/// The words that the browser shows after a redirect.
package struct RedirectWords: Sendable {
    package var goodTitle: String
    package var goodText: String
    package var badTitle: String
    package var badText: String
    /// For an address that came while the agent was locked.
    package var lockedTitle = "Countersign is locked"
    package var lockedText =
        "Nothing could be stored here. Unlock Countersign (countersign unlock), and then reload this page."

    package init(goodTitle: String, goodText: String, badTitle: String, badText: String) {
        self.goodTitle = goodTitle
        self.goodText = goodText
        self.badTitle = badTitle
        self.badText = badText
    }

    static let connection = RedirectWords(
        goodTitle: "Connected", goodText: "This computer is connected. You may close this tab.",
        badTitle: "Not connected",
        badText:
            "This did not connect the computer. Go back to the bank's page and try again, or look at the terminal.")
}

/// A server on a loopback address that receives the redirects of a browser (RFC 8252 section 7.3). It answers GET on one exact
/// path with one exact `Host`, and 404 to anything else. A program of another user is not answered.
package final class LoopbackServer: Sendable {
    /// The address to which the page must redirect the browser: `http://127.0.0.1:PORT/PATH`.
    package let returnURL: String
    private let incoming: IncomingRedirects
    private let listener: LoopbackListener

    /// Starts listening at a one-time path, for a bank's page. `secret` is the path without its slash. Throws a `Failure` when no port
    /// is free.
    package convenience init(secret: String, _ incoming: IncomingRedirects) async throws {
        try await self.init(path: "/" + secret, words: .connection, incoming)
    }

    /// Starts listening, and puts each redirect into `incoming`. `host` is `[::1]`, or `127.0.0.1` or `localhost`, which are both
    /// served at 127.0.0.1; `port` 0 takes any free port; `path` may be empty. Throws a `Failure` when the port cannot be used.
    package convenience init(
        host: String = "127.0.0.1", port wanted: Int = 0, path: String, words: RedirectWords,
        _ incoming: IncomingRedirects
    ) async throws {
        try await self.init(
            host: host, port: wanted, path: path, words: words, incoming, limits: LoopbackListener.Limits())
    }

    init(
        host: String = "127.0.0.1", port wanted: Int = 0, path: String, words: RedirectWords,
        _ incoming: IncomingRedirects, limits: LoopbackListener.Limits
    ) async throws {
        self.incoming = incoming
        listener = try await LoopbackListener(host: host, port: wanted, path: path, limits: limits) {
            await Self.answer(to: $0, words, incoming)
        }
        returnURL = listener.address
    }

    /// Refuses redirects that came too late, and stops the server once the page for the accepted redirect is delivered.
    package func close() async {
        await incoming.close()
        await listener.close()
    }

    private static func answer(
        to address: String, _ words: RedirectWords, _ incoming: IncomingRedirects
    ) async -> LoopbackListener.Answer {
        let outcome: RedirectOutcome = await withCheckedContinuation { continuation in
            let once = Once(continuation)
            let taken = incoming.offer(IncomingRedirect(address: address) { once.resume($0) })
            if !taken { once.resume(.notAccepted) }
        }
        return switch outcome {
        case .accepted: .page(.ok, words.goodTitle, words.goodText)
        case .notAccepted: .page(.badRequest, words.badTitle, words.badText)
        case .locked: .page(.badRequest, words.lockedTitle, words.lockedText)
        }
    }
}

/// Resumes a continuation at the first call only.
private final class Once: Sendable {
    private let waiting: Mutex<CheckedContinuation<RedirectOutcome, Never>?>

    init(_ continuation: CheckedContinuation<RedirectOutcome, Never>) { waiting = Mutex(continuation) }

    func resume(_ value: RedirectOutcome) {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }?.resume(returning: value)
    }
}
