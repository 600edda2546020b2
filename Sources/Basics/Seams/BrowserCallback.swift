/// Opens the bank's page for the person and catches what comes back.
public protocol BrowserCallback: Sendable {
    /// What we ask the bank to lead the browser back to.
    var returnURL: String { get }
    /// Opens the page, or tells the person its address.
    func open(_ page: WebAddress) async throws
    /// The next redirected address, good or forged; waits. Nil when the wait is over (timeout, or the person cancelled).
    func next() async throws -> IncomingRedirect?
    /// Ends the wait and frees what it held.
    func close() async
}

/// A redirected address, not yet judged.
public struct IncomingRedirect: Sendable {
    public var address: String
    /// Tells whoever brought it whether it was good.
    public var answer: @Sendable (Bool) async -> Void

    public init(address: String, answer: @escaping @Sendable (Bool) async -> Void) {
        self.address = address
        self.answer = answer
    }
}
