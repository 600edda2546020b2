import Basics
import Client
import Display
import Pinentry
import Synchronization
import Web
import Dispatch

/// Shows a page to a person who reads standard error, and takes addresses from standard input.
final class TerminalShow: PageShow {
    /// Says outside of the terminal where a page is, until the cancellation ends that. `lead` leads there on this computer; nil if nothing
    /// does.
    typealias Teller = @Sendable (_ page: PageAddress, _ lead: PageAddress?, PinentryCancellation) async -> Void

    /// The owner of the page, as it is named to the person: "the bank".
    private let who: String
    /// The words after it about the time for the person; empty where the time is said elsewhere.
    private let patience: String
    private let usesBrowser: Bool
    private let takesPastedAddress: Bool
    private let browser = LedBrowser()
    /// Names the page outside of the terminal, until `close`.
    private let telling = Mutex<Task<Void, Never>?>(nil)
    private let tell: Teller?
    /// Closes the window that names the page.
    private let window = PinentryCancellation()

    /// - Parameters:
    ///   - takesPastedAddress: also where the page leads back by itself.
    ///   - tell: for a person who does not read standard error; called if nothing opens the page.
    init(
        of who: String, patience: String = "", usesBrowser: Bool, takesPastedAddress: Bool, tell: Teller? = nil
    ) {
        (self.who, self.patience, self.usesBrowser, self.tell) = (who, patience, usesBrowser, tell)
        self.takesPastedAddress = takesPastedAddress
    }

    func show(_ page: WebAddress, for callback: PageCallback) async throws {
        try await open(PageAddress(page))
        let takesPastedAddress = takesPastedAddress || callback.way == .paste
        explainWait(callback, takesPastedAddress)
        if takesPastedAddress { readStandardInput(for: callback) }
    }

    /// Opens the page, and prints its address in any case.
    private func open(_ page: PageAddress) async throws {
        let isOpened = usesBrowser ? try await browser.open(page) : false
        Terminal.say(
            isOpened
                ? "Opening your browser so that \(who) can sign you in; or visit" : "Let \(who) sign you in at")
        Terminal.say(address: DisplayText(page.text).line)
        guard !isOpened, let tell else { return }
        let lead = await browser.lead(to: page)
        // The wait for the page begins meanwhile.
        let task = Task { [window] in await tell(page, lead, window) }
        telling.withLock { $0 = task }
    }

    private func explainWait(_ callback: PageCallback, _ takesPastedAddress: Bool) {
        switch callback.way {
        case .paste:
            Terminal.say("When \(who) has signed you in, the browser cannot open the next address; paste it here.")
        case .scheme:
            let scheme = SchemeHandler.scheme(of: callback.returnURL)
            if !SchemeHandler.find(for: scheme).isOwn {
                Terminal.say(
                    "This desktop does not hand \(scheme) links to countersign; for the remedy see: countersign doctor")
            }
            let end = takesPastedAddress ? "(ctrl-c cancels; it may be pasted here) …" : "(ctrl-c cancels) …"
            Terminal.say("Waiting for the desktop to hand the next address over " + end)
        case .loopback:
            let pasting = takesPastedAddress ? "; a redirected address may be pasted here" : ""
            Terminal.say("Waiting for \(who)\(patience) (ctrl-c cancels\(pasting)) …")
        }
    }

    /// Reads addresses from the lines of standard input. Reports lines that are none of the page's, without repeating them.
    private func readStandardInput(for callback: PageCallback) {
        // Reading blocks, so it has its own thread, which ends with the process.
        DispatchQueue(label: "redirects").async { [who] in
            while let line = StandardInput.line() {
                guard !line.isEmpty else { continue }
                switch callback.paste(line) {
                case .taken: break
                case .broken(let reason): Terminal.say("\(reason); copy the address anew")
                case .foreign: Terminal.say("that is not the address that \(who)'s page led to")
                }
            }
            callback.endPasting()
        }
    }

    func report(_ failure: Failure) {
        Terminal.say(failure)
        Terminal.say("Still waiting for \(who); ctrl-c ends the wait.")
    }

    func close() async {
        window.cancel()
        await telling.withLock { $0 }?.value
        await browser.close()
    }
}
