import Basics
import Cryptography
import Sessions
import Web

/// An address on this computer that a browser is led back to.
struct LoopbackPlace {
    var host: String
    /// Nil for any.
    var port: Int?
    /// Empty or beginning with a slash.
    var path: String

    func text(port: Int) -> String { "http://\(host):\(port)\(path)" }
}

extension LoopbackPlace {
    /// The client's registered address, or one for this issuer. Throws a `Failure` if the registered address is not on this
    /// computer.
    init(_ offer: LoginOfferPayload) throws {
        guard let registered = offer.redirectUri else {
            self.init(for: offer.issuer)
            return
        }
        guard let address = try? WebAddress(registered), address.scheme == "http", address.query == nil,
            ["127.0.0.1", "localhost", "[::1]"].contains(address.host)
        else {
            guard !offer.mayMove else {
                self.init(for: offer.issuer)
                return
            }
            throw Failure.usage(
                "the redirect address of this client is not one on this computer",
                hint: OwnScheme.isRedirectAddress(registered) ? "use --callback scheme" : "use --callback paste")
        }
        // Issuers compare the text, so keep the path as registered, with or without a slash after the host, and the port, even 80.
        self.init(host: address.host, port: address.port ?? Self.port(in: registered), path: address.path)
    }

    /// The port that an address is written with.
    private static func port(in address: String) -> Int? {
        // The address was read already, so its host stands between the first slashes.
        address.split(separator: "/").dropFirst().first?.split(separator: ":").last.flatMap { Int($0) }
    }

    init(for issuer: String) { self.init(host: "127.0.0.1", port: nil, path: "/callback/" + issuer.pathName) }
}

extension OwnScheme {
    /// Whether the client is registered with an address that the desktop hands to this program.
    static func isRegistered(_ offer: LoginOfferPayload) -> Bool {
        offer.redirectUri.map(isRedirectAddress) ?? false
    }

    /// The client's registered address, or the one with which this program registers itself. Throws a `Failure` if the client has
    /// another address.
    static func redirectAddress(_ offer: LoginOfferPayload) throws -> String {
        if let registered = offer.redirectUri {
            if isRedirectAddress(registered) { return registered }
            guard offer.mayMove else {
                throw Failure.usage(
                    "the redirect address of this client is not one of the scheme \(name)",
                    hint: "register \(callback) at the issuer, or leave --callback out")
            }
        }
        return offer.mayMove ? "\(callback)/\(offer.issuer.pathName)" : callback
    }
}

extension String {
    /// For an issuer: the end of its redirect addresses, if we may choose them. It differs between issuers, so that one issuer's
    /// answer is not taken for another's (RFC 9700 section 4.4.2.2).
    fileprivate var pathName: String {
        Digest.sha256(Array(utf8)).prefix(4).map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }.joined()
    }
}
