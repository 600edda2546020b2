import Basics
import SessionModel
package import Sessions
package import Web

extension PageCallback {
    /// In bytes. As JSON it fits into a request of the agent's, and a code has at most 4096 bytes.
    private static let longestAddress = 16384

    /// The way back from an issuer's page. Throws a `Failure`.
    ///
    /// - Parameters:
    ///   - way: nil for the one that fits the client's registration: this program's own scheme, or a server at the address that the
    ///     client is registered with, or at one for this issuer.
    ///   - home: the path of the directory.
    ///   - words: for the browser.
    package static func issuer(
        _ offer: LoginOfferPayload, _ way: PageWay?, _ shown: any PageShow, minutes: Double, home: String,
        words: RedirectWords
    ) async throws -> PageCallback {
        switch way ?? (OwnScheme.isRegistered(offer) ? .scheme : .loopback) {
        case .loopback:
            let place = try LoopbackPlace(offer)
            return try await loopback(ofIssuers, shown, minutes: minutes) { incoming in
                func listen(_ place: LoopbackPlace) async throws -> LoopbackServer {
                    try await LoopbackServer(
                        host: place.host, port: place.port ?? 0, path: place.path, words: words, incoming)
                }
                do { return try await listen(place) } catch  where offer.mayMove && place.port != nil {
                    return try await listen(LoopbackPlace(for: offer.issuer))
                }
            }
        case .scheme:
            return try scheme(
                ofIssuers, shown, minutes: minutes, returnURL: try OwnScheme.redirectAddress(offer),
                at: RedirectPlace(home: home, for: .login))
        case .paste:
            let returnURL: String
            if !OwnScheme.isRegistered(offer), let place = try? LoopbackPlace(offer) {
                returnURL = place.text(port: place.port ?? Int.random(in: 49152...65535))
            } else {
                returnURL = offer.redirectUri ?? ""
            }
            return paste(ofIssuers, shown, minutes: minutes, returnURL: returnURL)
        }
    }

    private static let ofIssuers = Party(
        isRedirect: { line, returnURL in RedirectStart.all(for: returnURL).contains { line.hasPrefix($0) } },
        // An address that the agent cannot take as a request would end the login.
        mayBeAnswer: { address in
            address.utf8.count <= longestAddress && address.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        })
}
