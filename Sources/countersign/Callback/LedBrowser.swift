import Basics
import CTerminal
import Display
import Pinentry
import Synchronization
import Web

/// Brings the person's browser to a page whose address other users of this computer may not read: the program that
/// opens it gets an address that leads there, until `close`.
final class LedBrowser: Sendable {
    /// Opens the page behind the lead. Returns whether a browser took it.
    typealias Opener = @Sendable (PageLead) -> Bool
    /// Says outside of the terminal where a page is, until the cancellation ends that. `lead` leads there on this computer; nil if nothing
    /// does.
    typealias Teller = @Sendable (_ page: PageAddress, _ lead: PageAddress?, PinentryCancellation) async -> Void

    private let lead = Mutex<PageLead?>(nil)
    /// Names the page outside of the terminal, until `close`.
    private let telling = Mutex<Task<Void, Never>?>(nil)
    private let tell: Teller?
    /// Closes the window that names the page.
    private let window = PinentryCancellation()

    /// `tell`: for a person who does not read standard error; called if nothing opens the page.
    init(tell: Teller? = nil) { self.tell = tell }

    /// How long a browser may take to start.
    static let patience = Duration.seconds(30)

    /// Returns whether the page was handed over.
    func open(_ page: PageAddress, by opener: @escaping Opener = { Browser.open($0) }) async throws -> Bool {
        guard let lead = await lead(to: page) else { return false }
        return try await blocking { opener(lead) }
    }

    private func lead(to page: PageAddress) async -> PageLead? {
        if let lead = lead.withLock({ $0 }) { return lead }
        let lead = try? await PageLead(to: page)
        self.lead.withLock { $0 = lead }
        return lead
    }

    /// Opens the page if `mayOpen`, and prints its address in any case. `who`: the owner of the page.
    func show(_ page: WebAddress, of who: String, mayOpen: Bool) async throws {
        let page = PageAddress(page)
        let isOpened = mayOpen ? try await open(page) : false
        Terminal.say(
            isOpened
                ? "Opening your browser so that \(who) can sign you in; or visit" : "Let \(who) sign you in at")
        Terminal.say(address: DisplayText(page.text).line)
        guard !isOpened, let tell else { return }
        let lead = await lead(to: page)?.address
        // The wait for the page begins meanwhile.
        let task = Task { [window] in await tell(page, lead, window) }
        telling.withLock { $0 = task }
    }

    /// Opens the page, for a program that goes on once the browser has come for it. If none came, prints the address
    /// and calls `tell`. Ctrl-c ends only the wait, as does `isEnough`.
    static func visit(
        _ page: PageAddress, unless isEnough: @escaping () -> Bool = { false },
        tell: (PageAddress) async -> Void = { _ in }
    ) async {
        let wasInterrupted = countersign_interrupted() != 0
        countersign_interrupts_hold(1)
        defer {
            countersign_interrupts_hold(0)
            if !wasInterrupted { countersign_interrupts_forget() }
        }
        Terminal.say("Opening your browser (ctrl-c ends the wait for it) …")
        if await hasVisited(page, unless: { countersign_interrupted() != 0 || isEnough() }) || isEnough() { return }
        Terminal.say("warning: no browser came for the page; you can open it yourself:")
        Terminal.say(address: DisplayText(page.text).line)
        await tell(page)
    }

    private static func hasVisited(_ page: PageAddress, unless isEnough: @escaping () -> Bool) async -> Bool {
        guard let lead = try? await PageLead(to: page) else { return false }
        let isOpened = (try? await blocking { Browser.open(lead) }) == true
        let hasCome = isOpened ? await lead.isFollowed(within: patience, unless: isEnough) : false
        await lead.close()
        return hasCome
    }

    /// Stops leading to the page, after answers under way are delivered.
    func close() async {
        window.cancel()
        await telling.withLock { $0 }?.value
        await lead.withLock { $0 }?.close()
    }
}
