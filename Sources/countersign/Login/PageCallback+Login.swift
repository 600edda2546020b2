import Basics
import SessionModel
import Sessions
import Web

/// The ways back from an issuer's page. All throw a `Failure`.
extension PageCallback {
    /// In bytes. As JSON it fits into a request of the agent's, and a code has at most 4096 bytes.
    private static let longestAddress = 16384

    /// Uses this program's own scheme or a loopback server, as the client is registered. For a process without a terminal: `opener`
    /// opens the page.
    static func silent(
        _ offer: LoginOfferPayload, minutes: Double, home: String?, opener: @escaping LedBrowser.Opener
    ) async throws -> PageCallback {
        let manner = Manner(minutes: minutes, opener: opener)
        return OwnScheme.isRegistered(offer)
            ? try scheme(offer, manner, home: home) : try await loopback(offer, manner, words: silentWords)
    }

    /// Starts listening at the address that the client is registered with, or at one for this issuer.
    static func loopback(
        _ offer: LoginOfferPayload, _ manner: Manner, words: RedirectWords = words
    ) async throws -> PageCallback {
        let place = try LoopbackPlace(offer)
        return try await loopback(issuer(manner), manner) { incoming in
            func listen(_ place: LoopbackPlace) async throws -> LoopbackServer {
                try await LoopbackServer(
                    host: place.host, port: place.port ?? 0, path: place.path, words: words, incoming)
            }
            do { return try await listen(place) } catch  where offer.mayMove && place.port != nil {
                return try await listen(LoopbackPlace(for: offer.issuer))
            }
        }
    }

    static func scheme(_ offer: LoginOfferPayload, _ manner: Manner, home: String?) throws -> PageCallback {
        try scheme(
            issuer(manner), manner, returnURL: try OwnScheme.redirectAddress(offer),
            at: RedirectPlace(home: home, for: .login))
    }

    static func paste(_ offer: LoginOfferPayload, _ manner: Manner) throws -> PageCallback {
        let returnURL: String
        if !OwnScheme.isRegistered(offer), let place = try? LoopbackPlace(offer) {
            returnURL = place.text(port: place.port ?? Int.random(in: 49152...65535))
        } else {
            returnURL = offer.redirectUri ?? ""
        }
        return paste(issuer(manner), manner, returnURL: returnURL)
    }

    private static func issuer(_ manner: Manner) -> Party {
        Party(
            name: "the issuer", patience: " for \(words(minutes: manner.minutes))",
            isRedirect: { line, returnURL in RedirectStart.all(for: returnURL).contains { line.hasPrefix($0) } },
            // An address that the agent cannot take as a request would end the login.
            mayBeAnswer: { address in
                address.utf8.count <= longestAddress && address.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
            })
    }

    private static func words(minutes: Double) -> String {
        switch minutes {
        case 1: "a minute"
        case ..<1: "\(Int((minutes * 60).rounded(.up))) seconds"
        default: "\(Int(minutes.rounded(.up))) minutes"
        }
    }

    private static let silentWords = RedirectWords(
        goodTitle: words.goodTitle, goodText: words.goodText, badTitle: words.badTitle,
        badText: "This did not sign the computer in.")
    private static let words = RedirectWords(
        goodTitle: "Signed in", goodText: "This computer is signed in. You may close this tab.",
        badTitle: "Not signed in", badText: "This did not sign the computer in. Look at the terminal.")
}
