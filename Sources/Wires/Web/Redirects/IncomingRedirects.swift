package import Basics

/// A redirected address that has not been checked yet.
package struct IncomingRedirect: Sendable {
    /// The whole address, as the browser or the person gave it.
    package var address: String
    /// Sends the outcome to the sender of the address: a browser, or another process.
    package var answer: @Sendable (RedirectOutcome) async -> Void

    package init(address: String, answer: @escaping @Sendable (RedirectOutcome) async -> Void) {
        self.address = address
        self.answer = answer
    }
}

/// A queue of redirected addresses, from any source, until one is accepted or the time is over.
package struct IncomingRedirects: Sendable {
    private let queue: AsyncThrowingStream<IncomingRedirect, any Error>
    private let inlet: AsyncThrowingStream<IncomingRedirect, any Error>.Continuation

    /// `minutes`: how long `next` waits in all.
    package init(minutes: Double) {
        (queue, inlet) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(16))
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

    /// The next address; nil when the wait is over. Throws the error that ended it.
    package func next() async throws -> IncomingRedirect? {
        for try await redirect in queue { return redirect }
        return nil
    }

    /// Ends the wait. `next` returns the addresses that have come already, and then nil, or throws this error.
    package func finish(throwing error: (any Error)? = nil) { inlet.finish(throwing: error) }

    /// Ends the wait, and answers no to the addresses that are still in the queue.
    package func close() async {
        finish()
        while let late = try? await next() { await late.answer(.notAccepted) }
    }
}
