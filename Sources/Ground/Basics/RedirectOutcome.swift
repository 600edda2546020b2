/// Opens the bank's page in a browser and receives the redirects that follow.
package protocol BrowserCallback: Sendable {
    /// Where we ask the bank to redirect the browser.
    var returnURL: String { get }
    /// Opens the page, or shows its address to the person.
    func open(_ page: WebAddress) async throws
    /// Waits for the next redirected address, which may be forged. Nil when the wait is over: time-out, or the person
    /// cancelled.
    func next() async throws -> IncomingRedirect?
    /// Whether no address can come any more, since the person's input ended.
    var hasInputEnded: Bool { get }
    /// Ends the wait and frees its resources (a port, a file).
    func close() async
}

extension BrowserCallback {
    package var hasInputEnded: Bool { false }
}

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

/// The outcome of a redirected address.
package enum RedirectOutcome: Sendable, Equatable {
    case accepted
    case notAccepted
    /// Nothing could be stored, because the agent is locked. After an unlock the same address may be accepted.
    case locked
}
