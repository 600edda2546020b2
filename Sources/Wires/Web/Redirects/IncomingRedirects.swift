package import Basics

/// A queue of redirected addresses, from any source, until one is accepted or the time is over.
package struct IncomingRedirects: Sendable {
    private let queue: AsyncStream<IncomingRedirect>
    private let inlet: AsyncStream<IncomingRedirect>.Continuation

    /// `minutes`: how long `next` waits in all.
    package init(minutes: Double) {
        (queue, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        let inlet = inlet
        Task {
            try await Task.sleep(for: .seconds(minutes * 60))
            inlet.finish()
        }
    }

    /// Adds an address. Returns false when the wait is over or the queue is full.
    package func offer(_ redirect: IncomingRedirect) -> Bool {
        if case .enqueued = inlet.yield(redirect) { return true }
        return false
    }

    /// The next address; nil when the wait is over.
    package func next() async -> IncomingRedirect? {
        for await redirect in queue { return redirect }
        return nil
    }

    /// Ends the wait.
    package func finish() { inlet.finish() }

    /// Ends the wait, and answers no to the addresses that are still in the queue.
    package func close() async {
        finish()
        while let late = await next() { await late.answer(.notAccepted) }
    }
}
