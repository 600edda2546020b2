package import ApprovalModel
package import Basics
import Web

/// How a page of a bank or of an issuer leads back.
package enum PageWay: String, CaseIterable, Sendable {
    /// To a server of this process.
    case loopback
    /// The desktop hands the address to `countersign open`.
    case scheme
    /// Nothing listens: the person pastes the address that the browser could not open.
    case paste
}

/// A front end's part: it shows the person a page.
package protocol PageShow: Sendable {
    /// Opens the page, or says where it is. `callback` takes the addresses that the person pastes.
    func show(_ page: WebAddress, for callback: PageCallback) async throws
    /// A redirect did not prove good, and the wait goes on.
    func report(_ failure: Failure)
    /// The wait for the page is over.
    func close() async
}

/// Leads a person to a page of a bank or of an issuer, and receives the address that the page leads back to: by a server of this process,
/// from the desktop, or pasted.
package final class PageCallback: Sendable {
    /// The addresses that may belong to the page.
    package struct Party: Sendable {
        /// Whether a line that the person pasted is an address that the page leads to.
        let isRedirect: @Sendable (_ line: String, _ returnURL: String) -> Bool
        /// Whether an address may be the answer; any page can send one.
        var mayBeAnswer: @Sendable (_ address: String) -> Bool = { _ in true }
    }

    private enum Receiver {
        case server(LoopbackServer)
        case desktop(RedirectListener)
        case person
    }

    /// Where the page leads back.
    package let returnURL: String
    private let party: Party
    private let receiver: Receiver
    private let incoming: IncomingRedirects
    private let shown: any PageShow
    private let inputEnded = Latch()

    private init(
        _ party: Party, _ shown: any PageShow, returnURL: String, _ receiver: Receiver, _ incoming: IncomingRedirects
    ) {
        self.returnURL = returnURL
        self.party = party
        self.receiver = receiver
        self.incoming = incoming
        self.shown = shown
    }

    /// The page leads the browser to a server of this process, which `listen` starts. Throws its error.
    static func loopback(
        _ party: Party, _ shown: any PageShow, minutes: Double,
        listen: (IncomingRedirects) async throws -> LoopbackServer
    ) async throws -> PageCallback {
        let incoming = IncomingRedirects(minutes: minutes)
        let server = try await listen(incoming)
        return PageCallback(party, shown, returnURL: server.returnURL, .server(server), incoming)
    }

    /// The desktop hands the address to `countersign open`, which brings it to this place. Throws a `Failure`.
    static func scheme(
        _ party: Party, _ shown: any PageShow, minutes: Double, returnURL: String, at place: RedirectPlace
    ) throws -> PageCallback {
        let incoming = IncomingRedirects(minutes: minutes)
        let listener = try RedirectListener(at: place, incoming)
        return PageCallback(party, shown, returnURL: returnURL, .desktop(listener), incoming)
    }

    static func paste(
        _ party: Party, _ shown: any PageShow, minutes: Double, returnURL: String
    ) -> PageCallback {
        PageCallback(party, shown, returnURL: returnURL, .person, IncomingRedirects(minutes: minutes))
    }

    package var way: PageWay {
        switch receiver {
        case .server: .loopback
        case .desktop: .scheme
        case .person: .paste
        }
    }

    func open(_ page: WebAddress) async throws { try await shown.show(page, for: self) }

    func report(_ failure: Failure) { shown.report(failure) }

    /// Waits for the next address, which may be forged. Nil when the wait is over.
    func next() async throws -> IncomingRedirect? {
        while let redirect = try await incoming.next() {
            if party.mayBeAnswer(redirect.address) { return redirect }
            await redirect.answer(.notAccepted)
        }
        return nil
    }

    /// `next` returns the addresses that have come already, and then throws this error.
    func endWait(_ error: any Error) { incoming.finish(throwing: error) }

    func close() async {
        async let showEnds: Void = shown.close()
        switch receiver {
        case .server(let server): await server.close()
        case .desktop(let listener):
            listener.end()
            await incoming.close()
        case .person: incoming.finish()
        }
        await showEnds
    }

    // MARK: Pasted addresses

    package enum Pasted: Sendable {
        case taken
        /// Copying changed it in a way that leaves more than one meaning; in our words.
        case broken(String)
        /// It is not an address that the page leads to.
        case foreign
    }

    /// Takes an address that the person pasted.
    package func paste(_ line: String) -> Pasted {
        var address = line
        do {
            address = String(try LinkText(line).text)
        } catch {
            // A page may send any text, and some browsers show it without escapes.
            if error.kind == .broken, !line.contains(" " as Character) { return .broken(error.reason) }
        }
        guard party.isRedirect(address, returnURL) else { return .foreign }
        _ = incoming.offer(IncomingRedirect(address: address) { _ in })
        return .taken
    }

    /// The person can paste no more. If nothing else brings an address, the wait ends.
    package func endPasting() {
        inputEnded.raise()
        if way == .paste { incoming.finish() }
    }

    /// Whether nothing can come any more, since the person's input ended.
    var hasInputEnded: Bool { way == .paste && inputEnded.value }
}

extension PageCallback {
    /// The way back from a bank's page. `returnURL`: that of the settings, for all ways but a server. Throws a `Failure`.
    package static func bank(
        _ links: LinkReaders, _ way: PageWay, _ shown: any PageShow, minutes: Double, returnURL: String, secret: String,
        home: String
    ) async throws -> PageCallback {
        let bank = Party(isRedirect: { links.isRedirect($0, returnURL: $1) })
        switch way {
        case .loopback:
            return try await loopback(bank, shown, minutes: minutes) { try await LoopbackServer(secret: secret, $0) }
        case .scheme:
            return try scheme(
                bank, shown, minutes: minutes, returnURL: returnURL, at: RedirectPlace(home: home, for: .enrollment))
        case .paste: return paste(bank, shown, minutes: minutes, returnURL: returnURL)
        }
    }
}
