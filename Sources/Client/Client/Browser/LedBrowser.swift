package import Basics
import Synchronization
package import Web

/// Brings the person's browser to a page whose address other users of this computer may not read: the program that
/// opens it gets an address that leads there, until `close`.
package final class LedBrowser: Sendable {
    /// Opens the page behind the lead. Returns whether a browser took it.
    package typealias Opener = @Sendable (PageLead) -> Bool

    private let lead = Mutex<PageLead?>(nil)

    package init() {}

    /// How long a browser may take to start.
    package static let patience = Duration.seconds(30)

    /// Returns whether the page was handed over.
    package func open(_ page: PageAddress, by opener: @escaping Opener = { Browser.open($0) }) async throws -> Bool {
        guard let lead = await made(to: page) else { return false }
        return try await blocking { opener(lead) }
    }

    /// The address on this computer that leads to the page; nil if none can.
    package func lead(to page: PageAddress) async -> PageAddress? { await made(to: page)?.address }

    private func made(to page: PageAddress) async -> PageLead? {
        if let lead = lead.withLock({ $0 }) { return lead }
        let lead = try? await PageLead(to: page)
        self.lead.withLock { $0 = lead }
        return lead
    }

    /// Opens the page, for a program that goes on once the browser has come for it. Returns whether one came, before `isEnough`.
    package static func visit(_ page: PageAddress, unless isEnough: () -> Bool) async -> Bool {
        let browser = LedBrowser()
        let isOpened = (try? await browser.open(page)) == true
        let hasCome = isOpened ? await browser.hasCome(before: .now + patience, unless: isEnough) : false
        await browser.close()
        return hasCome
    }

    /// Waits until the browser has come for the page that was opened, at most until `end`. False also if `isEnough`.
    package func hasCome(before end: ContinuousClock.Instant, unless isEnough: () -> Bool) async -> Bool {
        await lead.withLock { $0 }?.isFollowed(within: end - .now, unless: isEnough) ?? false
    }

    /// Stops leading to the page, after answers under way are delivered.
    package func close() async { await lead.withLock { $0 }?.close() }
}

/// Opens the page without a word, for a process without a terminal.
package struct SilentShow: PageShow {
    private let browser = LedBrowser()
    private let opener: LedBrowser.Opener

    package init(_ opener: @escaping LedBrowser.Opener) { self.opener = opener }

    package func show(_ page: WebAddress, for callback: PageCallback) async throws {
        guard try await browser.open(PageAddress(page), by: opener) else { throw Failure.noDesktop }
    }

    package func report(_ failure: Failure) {}

    package func close() async { await browser.close() }
}

extension Failure {
    fileprivate static let noDesktop = Failure(
        .locked, "no page can be opened from here", hint: "on a terminal: countersign login NAME")
}
