import Basics
import SCA
import Web

/// `--callback loopback`: the bank's page redirects the browser to a server of this process.
struct LoopbackCallback: BrowserCallback {
    private let server: LoopbackServer
    private let browser: LedBrowser
    private let incoming: IncomingRedirects
    private let links: LinkReaders
    private let usesBrowser: Bool
    private let takesPastedAddress: Bool

    /// Starts listening. Throws if no port is free.
    init(
        _ browser: LedBrowser, secret: String, usesBrowser: Bool, takesPastedAddress: Bool, links: LinkReaders,
        minutes: Double
    ) async throws {
        self.browser = browser
        self.usesBrowser = usesBrowser
        self.takesPastedAddress = takesPastedAddress
        self.links = links
        incoming = IncomingRedirects(minutes: minutes)
        server = try await LoopbackServer(secret: secret, incoming)
    }

    var returnURL: String { server.returnURL }

    func open(_ page: WebAddress) async throws {
        try await browser.show(page, of: "the bank", mayOpen: usesBrowser)
        if takesPastedAddress {
            Terminal.say("Waiting for the bank (ctrl-c cancels; a redirected address may be pasted here) …")
            incoming.readStandardInput(for: returnURL, links, endsWait: false)
        } else {
            Terminal.say("Waiting for the bank (ctrl-c cancels) …")
        }
    }

    func next() async throws -> IncomingRedirect? { await incoming.next() }

    func close() async {
        async let browserEnds: Void = browser.close()
        await server.close()
        await browserEnds
    }
}
