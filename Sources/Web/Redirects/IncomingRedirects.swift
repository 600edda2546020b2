public import Basics

/// Redirected addresses as they come in, from whatever source, until one proves good or the time is over.
public struct IncomingRedirects: Sendable {
    private let queue: AsyncStream<IncomingRedirect>
    private let inlet: AsyncStream<IncomingRedirect>.Continuation

    public init(minutes: Double) {
        (queue, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        let inlet = inlet
        Task {
            try await Task.sleep(for: .seconds(minutes * 60))
            inlet.finish()
        }
    }

    /// Adds an address. Returns false when the wait is over or the queue is full.
    public func offer(_ redirect: IncomingRedirect) -> Bool {
        if case .enqueued = inlet.yield(redirect) { return true }
        return false
    }

    /// The next address; nil when the wait is over.
    public func next() async -> IncomingRedirect? {
        for await redirect in queue { return redirect }
        return nil
    }

    /// Ends the wait.
    public func finish() { inlet.finish() }

    /// Ends the wait, and refuses the addresses that came too late.
    public func close() async {
        finish()
        while let late = await next() { await late.answer(false) }
    }
}
