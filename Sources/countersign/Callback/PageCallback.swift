import Client
import Agent
import Basics
import Web

/// Leads a person to a page of a bank or of an issuer, and receives the address that the page leads back to: by a server of this process,
/// from the desktop, or pasted.
final class PageCallback: BrowserCallback {
    /// Whose page it is, and which addresses may belong to it.
    struct Party: Sendable {
        /// As it is named to the person: "the bank".
        let name: String
        /// The words after it about the time for the person; empty where the time is said elsewhere.
        var patience = ""
        /// Whether a line that the person pasted is an address that the page leads to.
        let isRedirect: @Sendable (_ line: String, _ returnURL: String) -> Bool
        /// Whether an address may be the answer; any page can send one.
        var mayBeAnswer: @Sendable (_ address: String) -> Bool = { _ in true }
    }

    /// The person's part, and the time for it.
    struct Manner {
        var usesBrowser = true
        var takesPastedAddress = false
        var minutes: Double
        /// Opens the page without messages; nil if a person reads the messages.
        var opener: LedBrowser.Opener?
        var browser = LedBrowser()
    }

    private enum Receiver {
        case server(LoopbackServer)
        case desktop(RedirectListener)
        case person
    }

    let returnURL: String
    private let party: Party
    private let receiver: Receiver
    private let incoming: IncomingRedirects
    private let manner: Manner
    private let inputEnded = Latch()
    /// Whether nothing can come any more, since the person's input ended.
    var hasInputEnded: Bool { isForPerson && inputEnded.value }

    private init(
        _ party: Party, _ manner: Manner, returnURL: String, _ receiver: Receiver, _ incoming: IncomingRedirects
    ) {
        self.returnURL = returnURL
        self.party = party
        self.receiver = receiver
        self.incoming = incoming
        self.manner = manner
    }

    /// The page leads the browser to a server of this process, which `listen` starts. Throws its error.
    static func loopback(
        _ party: Party, _ manner: Manner, listen: (IncomingRedirects) async throws -> LoopbackServer
    ) async throws -> PageCallback {
        let incoming = IncomingRedirects(minutes: manner.minutes)
        let server = try await listen(incoming)
        return PageCallback(party, manner, returnURL: server.returnURL, .server(server), incoming)
    }

    /// The desktop hands the address to `countersign open`, which brings it to this place. Throws a `Failure`.
    static func scheme(
        _ party: Party, _ manner: Manner, returnURL: String, at place: RedirectPlace
    ) throws -> PageCallback {
        let incoming = IncomingRedirects(minutes: manner.minutes)
        let listener = try RedirectListener(at: place, incoming)
        return PageCallback(party, manner, returnURL: returnURL, .desktop(listener), incoming)
    }

    /// Nothing listens: the person pastes the address that the browser could not open.
    static func paste(_ party: Party, _ manner: Manner, returnURL: String) -> PageCallback {
        var manner = manner
        manner.takesPastedAddress = true
        return PageCallback(party, manner, returnURL: returnURL, .person, IncomingRedirects(minutes: manner.minutes))
    }

    func open(_ page: WebAddress) async throws {
        if let opener = manner.opener {
            guard try await manner.browser.open(PageAddress(page), by: opener) else { throw SessionWing.noDesktop }
            return
        }
        try await manner.browser.show(page, of: party.name, mayOpen: manner.usesBrowser)
        explainWait()
        guard manner.takesPastedAddress else { return }
        incoming.readStandardInput(
            of: party.name, endsWait: isForPerson, onEnd: { [inputEnded] in inputEnded.raise() }
        ) { [party, returnURL] in party.isRedirect($0, returnURL) }
    }

    private var isForPerson: Bool { if case .person = receiver { true } else { false } }

    private func explainWait() {
        switch receiver {
        case .person:
            Terminal.say(
                "When \(party.name) has signed you in, the browser cannot open the next address; paste it here.")
        case .desktop:
            SchemeHandler.tellOfWait(
                for: SchemeHandler.scheme(of: returnURL), takesPastedAddress: manner.takesPastedAddress)
        case .server:
            let pasting = manner.takesPastedAddress ? "; a redirected address may be pasted here" : ""
            Terminal.say("Waiting for \(party.name)\(party.patience) (ctrl-c cancels\(pasting)) …")
        }
    }

    func next() async throws -> IncomingRedirect? {
        while let redirect = await incoming.next() {
            if party.mayBeAnswer(redirect.address) { return redirect }
            await redirect.answer(.notAccepted)
        }
        return nil
    }

    /// `next` returns the addresses that have come already, and then nil.
    func endWait() { incoming.finish() }

    func close() async {
        async let browserEnds: Void = manner.browser.close()
        switch receiver {
        case .server(let server): await server.close()
        case .desktop(let listener):
            listener.end()
            await incoming.close()
        case .person: incoming.finish()
        }
        await browserEnds
    }
}
