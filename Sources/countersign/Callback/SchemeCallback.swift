import Basics
import SCA
import Web

/// `--callback scheme`: the bank gets the app's own return URL, and the desktop's handler for its scheme (`countersign
/// open`) delivers the redirect.
struct SchemeCallback: BrowserCallback {
    let returnURL: String
    private let usesBrowser: Bool
    private let takesPastedAddress: Bool
    private let links: LinkReaders
    private let incoming: IncomingRedirects
    private let listener: RedirectListener
    private let browser: LedBrowser

    /// Starts listening. Throws if the socket cannot be made.
    init(
        _ browser: LedBrowser, returnURL: String, usesBrowser: Bool, takesPastedAddress: Bool, links: LinkReaders,
        minutes: Double, at place: RedirectPlace
    ) throws {
        self.browser = browser
        self.returnURL = returnURL
        self.usesBrowser = usesBrowser
        self.takesPastedAddress = takesPastedAddress
        self.links = links
        incoming = IncomingRedirects(minutes: minutes)
        listener = try RedirectListener(at: place, incoming)
    }

    func open(_ page: WebAddress) async throws {
        try await browser.show(page, of: "the bank", mayOpen: usesBrowser)
        SchemeHandler.tellOfWait(for: SchemeHandler.scheme(of: returnURL), takesPastedAddress: takesPastedAddress)
        if takesPastedAddress { incoming.readStandardInput(for: returnURL, links, endsWait: false) }
    }

    func next() async throws -> IncomingRedirect? { await incoming.next() }

    func close() async {
        listener.end()
        await incoming.close()
        await browser.close()
    }
}
