import Basics
import Dispatch
import SCA

/// Redirected addresses as they come in, from whatever source, until one proves good or the time is over.
struct IncomingRedirects: Sendable {
    private let links: LinkReaders
    private let queue: AsyncStream<IncomingRedirect>
    private let inlet: AsyncStream<IncomingRedirect>.Continuation

    init(links: LinkReaders, minutes: Double) {
        self.links = links
        (queue, inlet) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(16))
        let inlet = inlet
        Task {
            try await Task.sleep(for: .seconds(minutes * 60))
            inlet.finish()
        }
    }

    /// Adds an address. Returns false when the wait is over or the queue is full.
    func offer(_ redirect: IncomingRedirect) -> Bool {
        if case .enqueued = inlet.yield(redirect) { return true }
        return false
    }

    func next() async -> IncomingRedirect? {
        for await redirect in queue { return redirect }
        return nil
    }

    func finish() { inlet.finish() }

    /// Takes addresses from the lines of standard input; what does not begin with `returnURL`, or says nothing, is told of and
    /// never repeated. `endsWait` says whether the input's end is the end of the wait.
    func readStandardInput(for returnURL: String, endsWait: Bool) {
        // Reading blocks, so it has a thread of its own, which ends with the process.
        DispatchQueue(label: "redirects").async {
            while let line = StandardInput.line() {
                guard !line.isEmpty else { continue }
                guard links.isRedirect(line, returnURL: returnURL) else {
                    Terminal.say("that is not the address that the bank's page led to")
                    continue
                }
                _ = offer(IncomingRedirect(address: line) { _ in })
            }
            if endsWait { finish() }
        }
    }
}
