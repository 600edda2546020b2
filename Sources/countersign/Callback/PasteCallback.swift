import Basics
import SCA
import Web

/// `--callback paste`: the bank gets the app's own return URL, which the browser cannot open, and the person pastes the
/// address of that redirect.
struct PasteCallback: BrowserCallback {
    let returnURL: String
    let usesBrowser: Bool
    private let links: LinkReaders
    private let incoming: IncomingRedirects

    init(returnURL: String, usesBrowser: Bool, links: LinkReaders, minutes: Double) {
        self.returnURL = returnURL
        self.usesBrowser = usesBrowser
        self.links = links
        incoming = IncomingRedirects(minutes: minutes)
    }

    func open(_ page: WebAddress) async throws {
        PageNotice.show(page, usesBrowser: usesBrowser)
        Terminal.say("When the bank has signed you in, the browser cannot open the next address; paste it here.")
        incoming.readStandardInput(for: returnURL, links, endsWait: true)
    }

    func next() async throws -> IncomingRedirect? { await incoming.next() }

    func close() async { incoming.finish() }
}

/// Opens a page, and tells the person its address.
enum PageNotice {
    static func show(_ page: WebAddress, usesBrowser: Bool) {
        tell(page, of: "the bank", isOpened: usesBrowser && Browser.open(page))
    }

    static func tell(_ page: WebAddress, of who: String, isOpened: Bool) {
        Terminal.say(
            isOpened
                ? "Opening your browser so that \(who) can sign you in; or visit" : "Let \(who) sign you in at")
        Terminal.say("  \(page.text)")
    }
}
