import Basics
import SCA
import Web

/// `--callback paste`: the bank gets the app's own return URL, which the browser cannot open, and the person pastes the
/// address of that redirect.
struct PasteCallback: BrowserCallback {
    let returnURL: String
    let usesBrowser: Bool
    private let browser: LedBrowser
    private let links: LinkReaders
    private let incoming: IncomingRedirects
    private let inputEnded = Latch()
    var hasInputEnded: Bool { inputEnded.value }

    init(_ browser: LedBrowser, returnURL: String, usesBrowser: Bool, links: LinkReaders, minutes: Double) {
        self.browser = browser
        self.returnURL = returnURL
        self.usesBrowser = usesBrowser
        self.links = links
        incoming = IncomingRedirects(minutes: minutes)
    }

    func open(_ page: WebAddress) async throws {
        try await browser.show(page, of: "the bank", mayOpen: usesBrowser)
        Terminal.say("When the bank has signed you in, the browser cannot open the next address; paste it here.")
        incoming.readStandardInput(for: returnURL, links, endsWait: true) { [inputEnded] in inputEnded.raise() }
    }

    func next() async throws -> IncomingRedirect? { await incoming.next() }

    func close() async {
        incoming.finish()
        await browser.close()
    }
}
