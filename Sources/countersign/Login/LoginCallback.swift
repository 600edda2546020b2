import Agent
import Basics
import SCACrypto
import Sessions
import Web

/// Leads a person to an issuer's page and receives the address that the page leads back to: by a server of this process, or pasted.
struct LoginCallback: BrowserCallback {
    let returnURL: String
    private let server: LoopbackServer?
    private let incoming: IncomingRedirects
    private let usesBrowser: Bool
    private let takesPastedAddress: Bool
    /// Opens the page without a word; nil where a person reads what is said.
    private var opener: (@Sendable (WebAddress) -> Bool)?

    private init(
        returnURL: String, server: LoopbackServer?, _ incoming: IncomingRedirects, usesBrowser: Bool,
        takesPastedAddress: Bool
    ) {
        self.returnURL = returnURL
        self.server = server
        self.incoming = incoming
        self.usesBrowser = usesBrowser
        self.takesPastedAddress = takesPastedAddress
    }

    /// For a process without a terminal: `opener` returns whether the page was handed over.
    static func silent(
        _ offer: LoginOfferPayload, minutes: Double, opener: @escaping @Sendable (WebAddress) -> Bool
    ) async throws -> LoginCallback {
        var callback = try await loopback(
            offer, usesBrowser: true, takesPastedAddress: false, minutes: minutes, words: silentWords)
        callback.opener = opener
        return callback
    }

    /// Starts listening at the address that the client is registered with, or at one for this issuer. Throws a `Failure`.
    static func loopback(
        _ offer: LoginOfferPayload, usesBrowser: Bool, takesPastedAddress: Bool, minutes: Double,
        words: RedirectWords = words
    ) async throws -> LoginCallback {
        let place = try LoopbackPlace(offer)
        let incoming = IncomingRedirects(minutes: minutes)
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
            returnURL: server.returnURL, server: server, incoming, usesBrowser: usesBrowser,
            takesPastedAddress: takesPastedAddress)
    }

    /// Nothing listens: the person pastes the address that the browser could not open.
    static func paste(_ offer: LoginOfferPayload, usesBrowser: Bool, minutes: Double) throws -> LoginCallback {
        let returnURL: String
        if let place = try? LoopbackPlace(offer) {
            returnURL = place.text(port: place.port ?? Int.random(in: 49152...65535))
        } else {
            returnURL = offer.redirectUri ?? ""
        }
        return LoginCallback(
            returnURL: returnURL, server: nil, IncomingRedirects(minutes: minutes), usesBrowser: usesBrowser,
            takesPastedAddress: true)
    }

    func open(_ page: WebAddress) async throws {
        if let opener {
            guard try await blocking({ opener(page) }) else { throw SessionWing.noDesktop }
            return
        }
        PageNotice.show(page, of: "the issuer", usesBrowser: usesBrowser)
        switch (server, takesPastedAddress) {
        case (nil, _):
            Terminal.say("When the issuer has signed you in, the browser cannot open the next address; paste it here.")
        case (_, true):
            Terminal.say("Waiting for the issuer (ctrl-c cancels; a redirected address may be pasted here) …")
        case (_, false): Terminal.say("Waiting for the issuer (ctrl-c cancels) …")
        }
        guard takesPastedAddress else { return }
        // A browser puts a slash behind a host.
        let starts = [returnURL + "?", returnURL + "/?"]
        incoming.readStandardInput(of: "the issuer", endsWait: server == nil) { pasted in
            starts.contains { pasted.hasPrefix($0) }
        }
    }

    func next() async throws -> IncomingRedirect? { await incoming.next() }

    func close() async {
        incoming.finish()
        await server?.close()
    }

    private static let silentWords = RedirectWords(
        goodTitle: words.goodTitle, goodText: words.goodText, badTitle: words.badTitle,
        badText: "This did not sign the computer in.")
    private static let words = RedirectWords(
        goodTitle: "Signed in", goodText: "This computer is signed in. You may close this tab.",
        badTitle: "Not signed in", badText: "This did not sign the computer in. Look at the terminal.")
}

/// An address on this computer that a browser is led back to.
private struct LoopbackPlace {
    var host: String
    /// Nil for any.
    var port: Int?
    /// Empty or beginning with a slash.
    var path: String

    func text(port: Int) -> String { "http://\(host):\(port)\(path)" }
}

extension LoopbackPlace {
    /// The address that the client is registered with, or one for this issuer. Throws a `Failure` for one that is not on this
    /// computer.
    init(_ offer: LoginOfferPayload) throws {
        guard let registered = offer.redirectUri else {
            self.init(for: offer.issuer)
            return
        }
        guard let address = try? WebAddress(registered), address.scheme == "http", address.query == nil,
            ["127.0.0.1", "localhost", "[::1]"].contains(address.host)
        else {
            throw Failure.usage(
                "the redirect address of this client is not one on this computer", hint: "use --callback paste")
        }
        // As it is registered, with or without a slash behind the host: issuers compare the text.
        self.init(host: address.host, port: address.port, path: address.path)
    }

    /// The path differs by issuer, so that an answer of another issuer is not taken for one of this (RFC 9700 section 4.4.2.2).
    init(for issuer: String) {
        let digits = Digest.sha256(Array(issuer.utf8)).prefix(4).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        self.init(host: "127.0.0.1", port: nil, path: "/callback/" + digits.joined())
    }
}
