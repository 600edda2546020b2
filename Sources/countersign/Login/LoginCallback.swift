import Agent
import Basics
import Sessions
import Web

/// Leads a person to an issuer's page and receives the address that the page leads back to: by a server of this process, from the desktop,
/// or pasted.
final class LoginCallback: BrowserCallback {
    /// The person's part in the login, and the time for it.
    struct Manner {
        var usesBrowser = true
        var takesPastedAddress = false
        var minutes: Double
        /// Opens the page without messages; nil if a person reads the messages.
        var opener: LedBrowser.Opener?
    }

    private enum Receiver {
        case server(LoopbackServer)
        case desktop(RedirectListener)
        case person
    }

    /// In bytes. As JSON it fits into a request of the agent's, and a code has at most 4096 bytes.
    private static let longestAddress = 16384

    let returnURL: String
    private let receiver: Receiver
    private let incoming: IncomingRedirects
    private let manner: Manner
    private let browser = LedBrowser()
    private let inputEnded = Latch()
    /// Whether nothing can come any more, since the person's input ended.
    var hasInputEnded: Bool { isForPerson && inputEnded.value }

    private init(returnURL: String, receiver: Receiver, incoming: IncomingRedirects, manner: Manner) {
        self.returnURL = returnURL
        self.receiver = receiver
        self.incoming = incoming
        self.manner = manner
    }

    /// Uses this program's own scheme or a loopback server, as the client is registered. For a process without a terminal: `opener`
    /// opens the page.
    static func silent(
        _ offer: LoginOfferPayload, minutes: Double, home: String?, opener: @escaping LedBrowser.Opener
    ) async throws -> LoginCallback {
        let manner = Manner(minutes: minutes, opener: opener)
        return OwnScheme.isRegistered(offer)
            ? try scheme(offer, manner, home: home) : try await loopback(offer, manner, words: silentWords)
    }

    /// Starts listening at the address that the client is registered with, or at one for this issuer. Throws a `Failure`.
    static func loopback(
        _ offer: LoginOfferPayload, _ manner: Manner, words: RedirectWords = words
    ) async throws -> LoginCallback {
        let place = try LoopbackPlace(offer)
        let incoming = IncomingRedirects(minutes: manner.minutes)
        func listen(_ place: LoopbackPlace) async throws -> LoopbackServer {
            try await LoopbackServer(host: place.host, port: place.port ?? 0, path: place.path, words: words, incoming)
        }
        let server: LoopbackServer
        do {
            server = try await listen(place)
        } catch  where offer.mayMove && place.port != nil {
            server = try await listen(LoopbackPlace(for: offer.issuer))
        }
        return LoginCallback(
            returnURL: server.returnURL, receiver: .server(server), incoming: incoming, manner: manner)
    }

    /// The desktop hands the address to `countersign open`, which brings it here. Throws a `Failure`.
    static func scheme(_ offer: LoginOfferPayload, _ manner: Manner, home: String?) throws -> LoginCallback {
        let returnURL = try OwnScheme.redirectAddress(offer)
        let incoming = IncomingRedirects(minutes: manner.minutes)
        let listener = try RedirectListener(at: RedirectPlace(home: home, for: .login), incoming)
        return LoginCallback(returnURL: returnURL, receiver: .desktop(listener), incoming: incoming, manner: manner)
    }

    /// Nothing listens: the person pastes the address that the browser could not open.
    static func paste(_ offer: LoginOfferPayload, _ manner: Manner) throws -> LoginCallback {
        var manner = manner
        manner.takesPastedAddress = true
        let returnURL: String
        if !OwnScheme.isRegistered(offer), let place = try? LoopbackPlace(offer) {
            returnURL = place.text(port: place.port ?? Int.random(in: 49152...65535))
        } else {
            returnURL = offer.redirectUri ?? ""
        }
        return LoginCallback(
            returnURL: returnURL, receiver: .person, incoming: IncomingRedirects(minutes: manner.minutes),
            manner: manner)
    }

    func open(_ page: WebAddress) async throws {
        if let opener = manner.opener {
            guard try await browser.open(PageAddress(page), by: opener) else { throw SessionWing.noDesktop }
            return
        }
        try await browser.show(page, of: "the issuer", mayOpen: manner.usesBrowser)
        sayWhatComes()
        guard manner.takesPastedAddress else { return }
        let starts = RedirectStart.all(for: returnURL)
        incoming.readStandardInput(
            of: "the issuer", endsWait: isForPerson, onEnd: { [inputEnded] in inputEnded.raise() }
        ) { pasted in
            starts.contains { pasted.hasPrefix($0) }
        }
    }

    private var isForPerson: Bool { if case .person = receiver { true } else { false } }

    private func sayWhatComes() {
        switch receiver {
        case .person:
            Terminal.say("When the issuer has signed you in, the browser cannot open the next address; paste it here.")
        case .desktop:
            SchemeHandler.tellOfWait(for: OwnScheme.name, takesPastedAddress: manner.takesPastedAddress)
        case .server:
            let pasting = manner.takesPastedAddress ? "; a redirected address may be pasted here" : ""
            Terminal.say(
                "Waiting for the issuer for \(Self.words(minutes: manner.minutes)) (ctrl-c cancels\(pasting)) …")
        }
    }

    private static func words(minutes: Double) -> String {
        switch minutes {
        case 1: "a minute"
        case ..<1: "\(Int((minutes * 60).rounded(.up))) seconds"
        default: "\(Int(minutes.rounded(.up))) minutes"
        }
    }

    func next() async throws -> IncomingRedirect? {
        while let redirect = await incoming.next() {
            if Self.mayBeAnswer(redirect.address) { return redirect }
            await redirect.answer(.notAccepted)
        }
        return nil
    }

    /// Any page can send an address. An address that the agent cannot take as a request would end the login.
    private static func mayBeAnswer(_ address: String) -> Bool {
        address.utf8.count <= longestAddress && address.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// `next` returns the addresses that have come already, and then nil.
    func endWait() { incoming.finish() }

    func close() async {
        async let browserEnds: Void = browser.close()
        switch receiver {
        case .server(let server): await server.close()
        case .desktop(let listener):
            listener.end()
            await incoming.close()
        case .person: incoming.finish()
        }
        await browserEnds
    }

    private static let silentWords = RedirectWords(
        goodTitle: words.goodTitle, goodText: words.goodText, badTitle: words.badTitle,
        badText: "This did not sign the computer in.")
    private static let words = RedirectWords(
        goodTitle: "Signed in", goodText: "This computer is signed in. You may close this tab.",
        badTitle: "Not signed in", badText: "This did not sign the computer in. Look at the terminal.")
}
