package import Basics

/// Leads this user's browser to a page, from an address on this computer that reveals nothing about the page. It is for
/// the arguments of a program that opens pages, since every user of the computer can read these. A program of another
/// user is not led on.
package final class PageLead: Sendable {
    /// The address that the browser opens: `http://127.0.0.1:PORT/` and a random word. It leads on until `close`, also
    /// when it is opened again.
    package let address: PageAddress
    private let listener: LoopbackListener
    private let wasFollowed = Latch()

    /// Starts listening. Throws a `Failure` when no port is free.
    package init(to page: PageAddress) async throws {
        var randomness = SystemRandomNumberGenerator()
        let word = (0..<2).map { _ in String(randomness.next(), radix: 36) }.joined()
        listener = try await LoopbackListener(path: "/" + word) { [wasFollowed] _ in
            wasFollowed.raise()
            return .lead(to: page)
        }
        address = try PageAddress(listener.address)
    }

    /// Waits until a browser was led on. False when none was in this time, or before `isEnough` said so.
    package func isFollowed(within patience: Duration, unless isEnough: () -> Bool = { false }) async -> Bool {
        let end = ContinuousClock.now + patience
        while !wasFollowed.value, !isEnough(), ContinuousClock.now < end {
            guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { break }
        }
        return wasFollowed.value
    }

    /// Stops listening after the current answers are delivered.
    package func close() async { await listener.close() }
}
